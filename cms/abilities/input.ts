import { RestError } from '../../core/errors.ts'
import { isObject } from '../../core/schema/convert.ts'
import { createParameters, type Parameters } from '../../core/schema/parameters.ts'
import { invalidInput } from './refusals.ts'
import type { NewAbility } from './types.ts'

const compiled = new WeakMap<NewAbility, Parameters>()

/**
 * The input of an ability, read as the parameters of a route are: `"5"` is a number where one is asked for, which is what
 * a query can say and what models do; names that the schema does not know are left out.
 *
 * @param raw As a client or a model gave it; nothing is an empty input.
 * @throws RestError 400 `ability_invalid_input`, WordPress's code, with `data.params` as routes have it
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

/** What is wrong with which parameter: models are told no more than the message. */
function reasonOf({ message, data: { params } }: RestError): string {
  if (!isObject(params)) return message
  return Object.entries(params)
    .map(([name, why]) => `${name}: ${why}`)
    .join(' ')
}
