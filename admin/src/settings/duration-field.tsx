import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { described, type OwnField } from './own-field.tsx'
import type { SettingsDraft } from './use-settings.ts'

/** Seconds. */
export const HOUR = 3600
export const DAY = 86_400

/**
 * A duration that is stored in seconds and edited in hours or days.
 * @param unit seconds per unit
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
  // Intermediate input such as `0.` stays until the field loses focus.
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
