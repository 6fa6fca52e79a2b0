import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { __, sprintf } from '../i18n.ts'
import { pageData } from '../page-data.ts'
import { moneyFormat } from './money.ts'

interface MoneyFieldProps {
  readonly label: string
  readonly description?: string | undefined
  readonly error?: string | undefined
  readonly name: string
  /** ISO 4217 code. */
  readonly currency: string
  /** In the smallest currency unit; anything else is shown as empty. */
  readonly value: unknown
  /** Receives a text that is not an amount as it is, with the currency: no setting accepts it. */
  readonly onChange: (value: number | string | null) => void
}

/** What is being typed. */
interface Typed {
  readonly text: string
  readonly value: number | string | null
  readonly isLeft: boolean
}

/** A price, typed as money and stored in the smallest currency unit: 12.90 is 1290. */
export function MoneyField({ currency, value, error, onChange, ...shared }: MoneyFieldProps) {
  const [draft, setDraft] = useState<Typed>()
  const { symbol, example, format, parse } = moneyFormat(pageData.locale.language, currency)
  // Not if the value was changed otherwise, for example by discarding changes.
  const typed = draft?.value === value ? draft : undefined
  const isWrong = typed?.isLeft && typeof typed.value === 'string'

  function type(text: string): void {
    const amount = text.trim() === '' ? null : (parse(text) ?? `${currency} ${text}`)
    setDraft({ text, value: amount, isLeft: false })
    onChange(amount)
  }
  return (
    <TextInput
      {...shared}
      error={isWrong ? sprintf(__('Enter an amount such as %s.', 'pentad'), example) : error}
      leftSection={<span aria-hidden>{symbol}</span>}
      leftSectionWidth={56}
      inputMode="decimal"
      autoComplete="off"
      value={typed?.text ?? (typeof value === 'number' ? format(value) : '')}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      // Until then, the text may be incomplete; an amount is shown as it is stored.
      onBlur={() => setDraft(typed && typeof typed.value === 'string' ? { ...typed, isLeft: true } : undefined)}
    />
  )
}
