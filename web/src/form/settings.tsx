import { type ParsedPercent, percentText } from "../offer/percent.ts";
import { type Form, feesOf } from "./form.ts";

const PRESETS = ["0.1", "0.5", "1"] as const;

type SettingsProps = {
  readonly form: Form;
  readonly slippage: ParsedPercent;
  /** Slippage that the service suggests, in thousandths; undefined without an offer. */
  readonly suggested: number | undefined;
  readonly onChange: (part: Partial<Form>) => void;
};

/** The settings: allowed slippage, whether routes are compared net of gas, and fees. */
export function Settings({ form, slippage, suggested, onChange }: SettingsProps) {
  const advised = suggested === undefined ? undefined : percentText(suggested);
  return (
    <div class="settings">
      <fieldset class="slippage">
        <legend>Slippage allowed</legend>
        <div class="chips">
          {advised !== undefined && (
            <button
              type="button"
              class="quiet auto"
              id="auto-slippage"
              title={`${advised} %: what this pair and size call for`}
              onClick={() => onChange({ slippage: advised })}
            >
              Auto
            </button>
          )}
          {PRESETS.map((preset) => (
            <label key={preset} class="chip">
              <input
                type="radio"
                name="slippage"
                value={preset}
                checked={form.slippage === preset}
                onChange={() => onChange({ slippage: preset })}
              />
              <span>{preset} %</span>
            </label>
          ))}
          <label class="chip-input">
            <span class="unseen">Slippage in percent</span>
            <input
              id="slippage"
              inputMode="decimal"
              autocomplete="off"
              maxLength={8}
              value={form.slippage}
              aria-invalid={slippage.kind === "bad"}
              onInput={(event) => onChange({ slippage: event.currentTarget.value })}
            />
            <span aria-hidden="true">%</span>
          </label>
        </div>
        {slippage.kind === "bad" && (
          <p class="field-note wrong" role="alert">
            {slippage.text}
          </p>
        )}
      </fieldset>
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          aria-checked={form.withGas}
          checked={form.withGas}
          onChange={(event) => onChange({ withGas: event.currentTarget.checked })}
        />
        <span>Take gas into account</span>
      </label>
      <Fees form={form} onChange={onChange} />
    </div>
  );
}

/** Fees for a third party, such as a site that integrates swaps. What is wrong with them is said outside of what closes. */
function Fees({ form, onChange }: Pick<SettingsProps, "form" | "onChange">) {
  const fees = feesOf(form);
  const wrong = fees.kind === "bad" ? fees.text : undefined;
  const field = (name: "sellFee" | "buyFee" | "feeRecipient") => ({
    id: name,
    autocomplete: "off",
    spellcheck: false,
    value: form[name],
    "aria-invalid": wrong !== undefined,
    "aria-describedby": "fees-note",
    onInput: (event: { currentTarget: HTMLInputElement }) => onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <div>
      <details class="fees">
        <summary>Fees for a third party</summary>
        <div class="fees-row">
          <label>
            <span>Of what you sell</span>
            <span class="chip-input">
              <input {...field("sellFee")} inputMode="decimal" maxLength={6} placeholder="0" />
              <span aria-hidden="true">%</span>
            </span>
          </label>
          <label>
            <span>Of what you receive</span>
            <span class="chip-input">
              <input {...field("buyFee")} inputMode="decimal" maxLength={6} placeholder="0" />
              <span aria-hidden="true">%</span>
            </span>
          </label>
        </div>
        <label class="fees-wallet">
          <span>Paid to</span>
          <span class="chip-input">
            <input {...field("feeRecipient")} maxLength={42} placeholder="0x…" />
          </span>
        </label>
        {wrong === undefined && (
          <p class="field-note" id="fees-note">
            Taken exactly; the amounts on this page are what is left.
          </p>
        )}
      </details>
      {wrong !== undefined && (
        <p class="field-note wrong" id="fees-note" role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
