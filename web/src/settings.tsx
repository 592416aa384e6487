import type { Form } from "./form.ts";
import type { ParsedSlippage } from "./percent.ts";

const PRESETS = ["0.1", "0.5", "1"] as const;

type SettingsProps = {
  readonly form: Form;
  readonly slippage: ParsedSlippage;
  readonly onChange: (part: Partial<Form>) => void;
};

/** The terms: how far the price may move, and whether gas counts when routes are compared. */
export function Settings({ form, slippage, onChange }: SettingsProps) {
  return (
    <div class="settings">
      <fieldset class="slippage">
        <legend>Slippage allowed</legend>
        <div class="chips">
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
    </div>
  );
}
