/** A line of the report. */
export interface Check {
  /** The checked part: `DB`, `BASE_URL`, `migrations`. */
  name: string
  /** `note`: something to look at that the command cannot decide. */
  state: 'ok' | 'problem' | 'note'
  text: string
  /** The command or the lines that solve the problem. */
  fix?: string
}

export const ok = (name: string, text: string): Check => ({ name, state: 'ok', text })
export const note = (name: string, text: string, fix?: string): Check => ({
  name,
  state: 'note',
  text,
  ...(fix === undefined ? {} : { fix }),
})
export const problem = (name: string, text: string, fix: string): Check => ({ name, state: 'problem', text, fix })

/** The line with the fix below it. */
export function printed({ name, state, text, fix }: Check): string {
  const lines = [`${state.padEnd(8)} ${name}: ${text}`]
  if (fix !== undefined) lines.push(...fix.split('\n').map((line) => `           ${line}`.trimEnd()))
  return lines.join('\n')
}
