const styles: Record<string, Intl.NumberFormatOptions> = {
  usual: {},
  // "$19", not "$19.00"
  short: { trailingZeroDisplay: 'stripIfInteger' },
  // The price of one unit may be a fraction of a cent.
  exact: { maximumFractionDigits: 8 },
}

/** Marks of the direction, as in the formats of the languages. */
const [rightToLeft, leftToRight] = ['\u200f', '\u200e']

/** Formats an amount in minor units. */
export function money(amount: number, currency: string, language: string, style = 'usual'): string {
  const formatted = { style: 'currency', currency: currency.toUpperCase() } as const
  const digits = new Intl.NumberFormat(language, formatted).resolvedOptions().maximumFractionDigits ?? 2
  const text = new Intl.NumberFormat(language, { ...formatted, ...styles[style] }).format(amount / 10 ** digits)
  // From right to left the "$" of "US$" would be on the other side of its letters.
  return text.startsWith(rightToLeft) ? text.replace(/\p{L}\$/u, `$&${leftToRight}`) : text
}
