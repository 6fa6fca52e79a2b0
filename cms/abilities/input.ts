import { RestError } from '../../core/errors.ts'
import { isObject } from '../../core/schema/convert.ts'
import { createParameters, type Parameters } from '../../core/schema/parameters.ts'
import { invalidInput } from './errors.ts'
import type { NewAbility } from './types.ts'

const compiled = new WeakMap<NewAbility, Parameters>()

/**
 * Reads the input of an ability like the parameters of a route: strings such as `"5"` are converted, because queries and models send them;
 * unknown names are ignored.
 * @param raw Input from a client or a model; `undefined` counts as empty
 * @throws RestError 400 `ability_invalid_input` (WordPress's code), with `data.params` as in routes
 */
export async function readInput(ability: NewAbility, raw: unknown): Promise<Record<string, unknown>> {
  const given = raw ?? {}
  if (!isObject(given)) throw invalidInput(ability, 'It must be an object.')
  let parameters = compiled.get(ability)
  if (!parameters) {
    parameters = createParameters(ability.input)
    compiled.set(ability, parameters)
  }
  try {
    return (await parameters.parse({}, given, {})).input
  } catch (error) {
    if (!(error instanceof RestError)) throw error
    throw invalidInput(ability, reasonOf(error), error.data)
  }
}

/** Describes the invalid parameters in one message, because models receive only the message. */
function reasonOf({ message, data: { params } }: RestError): string {
  if (!isObject(params)) return message
  return Object.entries(params)
    .map(([name, why]) => `${name}: ${why}`)
    .join(' ')
}
