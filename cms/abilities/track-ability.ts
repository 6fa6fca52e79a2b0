import type { z } from 'zod'
import type { UnderWay } from '../../core/extensions/under-way.ts'
import { onGivenUp } from '../../core/http/time-limit.ts'
import type { NewAbility } from './types.ts'

/** An ability whose calls are counted while they are under way, so that its extension is not torn down beneath them. */
export function trackAbility<Input extends z.ZodObject, Output extends z.ZodObject>(
  ability: NewAbility<Input, Output>,
  underWay: UnderWay,
): NewAbility<Input, Output> {
  const { preview } = ability
  const what = () => `ability ${ability.name}`
  return {
    ...ability,
    execute: (input, caller) => underWay.track(() => ability.execute(input, caller), what, onGivenUp),
    ...(preview && {
      preview: (input, caller) => underWay.track(() => preview.call(ability, input, caller), what, onGivenUp),
    }),
  }
}
