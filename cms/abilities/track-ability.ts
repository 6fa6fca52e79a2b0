import type { z } from 'zod'
import type { InFlight } from '../../core/extensions/in-flight.ts'
import { onAbandoned } from '../../core/http/time-limit.ts'
import type { NewAbility } from './types.ts'

/** Tracks calls of an ability as in progress, so that teardown of its extension waits for them. */
export function trackAbility<Input extends z.ZodObject, Output extends z.ZodObject>(
  ability: NewAbility<Input, Output>,
  inFlight: InFlight,
  added: Error,
): NewAbility<Input, Output> {
  const { preview } = ability
  const what = Object.assign(() => `ability ${ability.name}`, { added })
  return {
    ...ability,
    execute: (input, caller) => inFlight.track(() => ability.execute(input, caller), what, onAbandoned),
    ...(preview && {
      preview: (input, caller) => inFlight.track(() => preview.call(ability, input, caller), what, onAbandoned),
    }),
  }
}
