import type { User } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'

/** In WordPress's words and codes (`WP_REST_Abilities_V1_Run_Controller`, `WP_Ability`). */
export function abilityNotFound(): RestError {
  return new RestError('rest_ability_not_found', 'Ability not found.', { status: 404 })
}

/** 401 for anonymous visitors, 403 for logged-in users. */
export function cannotExecute(caller: User | null): RestError {
  return new RestError('rest_ability_cannot_execute', 'Sorry, you are not allowed to execute this ability.', {
    status: caller ? 403 : 401,
  })
}

/** @param data error data as in routes: `params`, `details` */
export function invalidInput(
  ability: { readonly name: string },
  reason: string,
  data: Readonly<Record<string, unknown>> = {},
): RestError {
  return new RestError('ability_invalid_input', `Ability "${ability.name}" has invalid input. Reason: ${reason}`, {
    ...data,
    status: 400,
  })
}
