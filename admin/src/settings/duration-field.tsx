import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { described, type OwnField } from './own-field.tsx'
import type { SettingsDraft } from './use-settings.ts'

/** Seconds. */
export const HOUR = 3600
export const DAY = 86_400

/**
 * A time that is stored in seconds and thought of in hours or days.
 * @param unit seconds that one of what is typed has
 * @param description names the unit
 */
export function duration(key: string, unit: number, description: string): OwnField {
  return (draft) => <Duration {...{ draft, name: key, unit, description }} />
}

interface DurationProps {
  readonly draft: SettingsDraft
  readonly name: string
  readonly unit: number
  readonly description: string
}

function Duration({ draft, name, unit, description }: DurationProps) {
  // What is typed stays as it is, `0.` too, until the field is left.
  const [typed, setTyped] = useState<number | string>()
  const { minimum, maximum } = draft.schema?.[name] ?? {}
  const stored = draft.values[name]
  return (
    <NumberInput
      {...described(draft, name)}
      description={description}
      value={typed ?? (typeof stored === 'number' ? stored / unit : '')}
      min={minimum === undefined ? undefined : minimum / unit}
      max={maximum === undefined ? undefined : maximum / unit}
      clampBehavior="none"
      decimalScale={2}
      onBlur={() => setTyped(undefined)}
      onChange={(value) => {
        setTyped(value)
        draft.set({ [name]: value === '' ? null : Math.round(Number(value) * unit) })
      }}
    />
  )
}
