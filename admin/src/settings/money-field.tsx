import { NumberInput } from '@mantine/core'
import { pageData } from '../page-data.ts'

interface MoneyFieldProps {
  readonly label: string
  readonly description?: string | undefined
  readonly error?: string | undefined
  readonly name: string
  /** ISO 4217 code. */
  readonly currency: string
  /** In the smallest currency unit; anything else is shown as empty. */
  readonly value: unknown
  readonly onChange: (value: number | null) => void
}

/** A price, typed as money and stored in the smallest currency unit: 12.90 is 1290. */
export function MoneyField({ currency, value, onChange, ...shared }: MoneyFieldProps) {
  const format = new Intl.NumberFormat(pageData.locale.language, { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0
  const parts = format.formatToParts(1000.5)
  const partOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value
  const unit = 10 ** digits
  return (
    <NumberInput
      {...shared}
      leftSection={<span aria-hidden>{partOf('currency')}</span>}
      leftSectionWidth={56}
      allowNegative={false}
      decimalScale={digits}
      fixedDecimalScale
      decimalSeparator={partOf('decimal') ?? '.'}
      allowDecimal={digits > 0}
      hideControls
      value={typeof value === 'number' ? value / unit : ''}
      // An amount with trailing zeros is a string.
      onChange={(amount) => onChange(amount === '' ? null : Math.round(Number(amount) * unit))}
    />
  )
}
