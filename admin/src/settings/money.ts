/** How amounts of a currency are typed in a language. */
export interface MoneyFormat {
  /** `€` */
  readonly symbol: string
  /** How an amount can be typed: `1,290.00` */
  readonly example: string
  /** `1290.00` for 129000 */
  format(value: number): string
  /** The amount in the smallest currency unit: 129000 for `1,290` and `1290.00`; `undefined` if the text is not an amount. */
  parse(text: string): number | undefined
}

export function moneyFormat(language: string, currency: string): MoneyFormat {
  const money = new Intl.NumberFormat(language, { style: 'currency', currency, numberingSystem: 'latn' })
  const digits = money.resolvedOptions().maximumFractionDigits ?? 0
  // Some languages do not group four digits.
  const parts = money.formatToParts(12_345.5)
  const partOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value
  const symbol = partOf('currency') ?? currency
  const group = partOf('group') ?? ''
  const decimal = partOf('decimal') ?? ''
  // Spaces and apostrophes only ever separate thousands. The keypad has a period, unless that separates thousands.
  const separator = `[${group}\\s'’]`
  const point = group === '.' ? `[${decimal}]` : `[${decimal}.]`
  const whole = `\\d*|\\d{1,3}(?:${separator}\\d{2,3})*${separator}\\d{3}`
  const amount = new RegExp(`^(?<whole>${whole})${digits > 0 ? `(?:${point}(?<fraction>\\d{0,${digits}}))?` : ''}$`)

  return {
    symbol,
    example: ['1', group, '290', ...(digits > 0 ? [decimal, '0'.repeat(digits)] : [])].join(''),
    format: (value) => (value / 10 ** digits).toFixed(digits).replace('.', decimal),
    parse(text) {
      const found = amount.exec(text.replace(symbol, '').trim())?.groups
      const [integer, fraction] = [found?.whole?.replaceAll(/\D/g, '') ?? '', found?.fraction ?? '']
      if (integer + fraction === '') return undefined
      const value = Number(integer + fraction.padEnd(digits, '0'))
      return Number.isSafeInteger(value) ? value : undefined
    },
  }
}
