/** A file that does not say what it should: the message names the field, and who reads the file adds its name. */
export class BadInput extends Error {
  override readonly name = "BadInput";
}

export type Fields = Readonly<Record<string, unknown>>;

/** Runs `read`, and puts `place` before the field of whatever it refuses. */
export function inside<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadInput) throw new BadInput(`${place}${error.message}`);
    throw error;
  }
}

export function fieldsOf(value: unknown, field: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadInput(`${field}: an object is wanted, not ${show(value)}`);
  return value as Fields;
}

export function listAt(fields: Fields, field: string): readonly unknown[] {
  const value = fields[field];
  if (!Array.isArray(value)) throw new BadInput(`${field}: a list is wanted, not ${show(value)}`);
  return value;
}

export function textAt(fields: Fields, field: string): string {
  const value = fields[field];
  if (typeof value !== "string") throw new BadInput(`${field}: a string is wanted, not ${show(value)}`);
  return value;
}

/** A finite number, written as a number or as a string. */
export function numberAt(fields: Fields, field: string): number {
  const value = fields[field];
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number))
    throw new BadInput(`${field}: a number is wanted, not ${show(value)}`);
  return number;
}

export function integerAt(fields: Fields, field: string): bigint {
  return integer(fields[field], field);
}

/** An integer of at least 0. */
export function amountAt(fields: Fields, field: string): bigint {
  return amount(fields[field], field);
}

/** Integers of at least 0. */
export function amountsAt(fields: Fields, field: string): bigint[] {
  return listAt(fields, field).map((value, k) => amount(value, `${field}[${k}]`));
}

/** A token or contract, in lower case. */
export function address(value: unknown, field: string): `0x${string}` {
  if (typeof value !== "string" || !/^0x[0-9a-f]{40}$/i.test(value))
    throw new BadInput(`${field}: an address is wanted, not ${show(value)}`);
  return value.toLowerCase() as `0x${string}`;
}

function amount(value: unknown, field: string): bigint {
  const number = integer(value, field);
  if (number < 0n) throw new BadInput(`${field}: must not be negative, is ${number}`);
  return number;
}

function integer(value: unknown, field: string): bigint {
  if (typeof value === "string" && /^-?[0-9]{1,90}$/.test(value)) return BigInt(value);
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  throw new BadInput(`${field}: an integer in decimal digits is wanted, not ${show(value)}`);
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 60);
}
