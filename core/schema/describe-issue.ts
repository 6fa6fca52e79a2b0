import type { z } from 'zod'
import { takes } from './convert.ts'
import { type JsonSchema, typesOf } from './json-schema.ts'

export interface Problem {
  readonly code: string
  readonly message: string
  readonly data: Readonly<Record<string, unknown>> | null
}

interface Place {
  /** `ids[0]` */
  readonly label: string
  readonly schema: JsonSchema | null
  readonly value: unknown
}

/**
 * Describes a validation issue with the messages and codes of WordPress's `rest_validate_value_from_schema` (wp-includes/rest-api.php).
 */
export function describeIssue(issue: z.core.$ZodIssue, place: Place): Problem {
  const { label } = place
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, place)
    case 'invalid_value':
      return wrongValue(issue.values, place)
    case 'too_small':
    case 'too_big':
      return outOfRange(issue, place)
    case 'not_multiple_of':
      return problem('rest_invalid_multiple', `${label} must be a multiple of ${issue.divisor}.`)
    case 'invalid_format':
      return wrongFormat(issue, label)
    case 'unrecognized_keys':
      return problem(
        'rest_additional_properties_forbidden',
        `${issue.keys[0] ?? label} is not a valid property of Object.`,
      )
    case 'invalid_key':
      return problem('rest_additional_properties_forbidden', `${label} is not a valid property of Object.`)
    case 'invalid_union':
      return noneFits(issue, place)
    case 'custom':
      return refined(issue)
    default:
      return problem('rest_invalid_param', issue.message)
  }
}

function problem(code: string, message: string, data: Problem['data'] = null): Problem {
  return { code, message, data }
}

const TYPE_NAMES: Readonly<Record<string, string>> = { int: 'integer', record: 'object', map: 'object', set: 'array' }

function wrongType(expected: string, { label, schema, value }: Place): Problem {
  if (value === undefined) {
    const [, parent, name] = /^(.+)\[([^[]+)\]$/.exec(label) ?? []
    if (parent && name) return problem('rest_property_required', `${name} is a required property of ${parent}.`)
  }
  const types = schema ? typesOf(schema) : []
  const named = types.length > 0 ? types.join(',') : (TYPE_NAMES[expected] ?? expected)
  return problem('rest_invalid_type', `${label} is not of type ${named}.`, { param: label })
}

/** An enumeration or a constant; WordPress checks the type first. */
function wrongValue(values: readonly unknown[], place: Place): Problem {
  const types = place.schema ? typesOf(place.schema) : []
  if (types.length > 0 && !types.some((type) => takes(type, place.value))) return wrongType('', place)
  return values.length === 1
    ? problem('rest_not_in_enum', `${place.label} is not ${values[0]}.`)
    : problem('rest_not_in_enum', `${place.label} is not one of ${listed(values)}.`)
}

/** WordPress's `%l`: "a", "a and b", "a, b, and c". */
function listed(values: readonly unknown[]): string {
  const texts = values.map(String)
  const last = texts.pop() ?? ''
  if (texts.length === 0) return last
  return texts.length === 1 ? `${texts[0]} and ${last}` : `${texts.join(', ')}, and ${last}`
}

function outOfRange(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig, { label, schema }: Place): Problem {
  const small = issue.code === 'too_small'
  const limit = small ? issue.minimum : issue.maximum
  switch (issue.origin) {
    case 'string':
      return small
        ? problem('rest_too_short', `${label} must be at least ${limit} character${plural(limit)} long.`)
        : problem('rest_too_long', `${label} must be at most ${limit} character${plural(limit)} long.`)
    case 'array':
    case 'set':
      return small
        ? problem('rest_too_few_items', `${label} must contain at least ${limit} item${plural(limit)}.`)
        : problem('rest_too_many_items', `${label} must contain at most ${limit} item${plural(limit)}.`)
    case 'object':
    case 'record':
    case 'map':
      return small
        ? problem(
            'rest_too_few_properties',
            `${label} must contain at least ${limit} propert${limit === 1 ? 'y' : 'ies'}.`,
          )
        : problem(
            'rest_too_many_properties',
            `${label} must contain at most ${limit} propert${limit === 1 ? 'y' : 'ies'}.`,
          )
    default:
      return problem('rest_out_of_bounds', boundsMessage(issue, label, schema))
  }
}

function plural(count: unknown): string {
  return count === 1 ? '' : 's'
}

function boundsMessage(
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  label: string,
  schema: JsonSchema | null,
): string {
  const low = schema?.minimum ?? schema?.exclusiveMinimum
  const high = schema?.maximum ?? schema?.exclusiveMaximum
  if (low !== undefined && high !== undefined) {
    const clusive = (inclusive: boolean) => (inclusive ? '(inclusive)' : '(exclusive)')
    const from = `${low} ${clusive(schema?.minimum !== undefined)}`
    return `${label} must be between ${from} and ${high} ${clusive(schema?.maximum !== undefined)}`
  }
  const limit = issue.code === 'too_small' ? issue.minimum : issue.maximum
  const than = issue.code === 'too_small' ? 'greater than' : 'less than'
  return `${label} must be ${than}${issue.inclusive === false ? '' : ' or equal to'} ${limit}`
}

function wrongFormat(issue: z.core.$ZodIssueInvalidStringFormat, label: string): Problem {
  switch (issue.format) {
    case 'email':
      return problem('rest_invalid_email', 'Invalid email address.')
    case 'datetime':
    case 'date':
    case 'time':
      return problem('rest_invalid_date', 'Invalid date.')
    case 'ipv4':
    case 'ipv6':
      return problem('rest_invalid_ip', `${label} is not a valid IP address.`)
    case 'uuid':
    case 'guid':
      return problem('rest_invalid_uuid', `${label} is not a valid UUID.`)
    case 'url':
      return problem('rest_invalid_url', `${label} is not a valid URL.`)
    default:
      return issue.pattern === undefined
        ? problem('rest_invalid_pattern', `${label} is not a valid ${issue.format}.`)
        : problem(
            'rest_invalid_pattern',
            `${label} does not match pattern ${issue.pattern.replace(/^\/|\/[a-z]*$/g, '')}.`,
          )
  }
}

/** As in WordPress, if only one branch has the type of the value, describes the issue of that branch. */
function noneFits(issue: z.core.$ZodIssueInvalidUnion, place: Place): Problem {
  const types = place.schema ? typesOf(place.schema) : []
  if (types.length > 0 && !types.some((type) => takes(type, place.value))) return wrongType('', place)
  const near = issue.errors.filter(([first]) => first && !(first.code === 'invalid_type' && first.path.length === 0))
  const [only] = near
  const first = near.length === 1 ? only?.[0] : undefined
  if (!first) return problem('rest_no_matching_schema', `${place.label} does not match any of the expected formats.`)
  const label = first.path.reduce<string>((text, key) => `${text}[${String(key)}]`, place.label)
  return describeIssue(first, { label, schema: null, value: place.value })
}

/** An issue of a `refine` of the route, which can set code and status of the error: `params: { code, status }`. */
function refined(issue: z.core.$ZodIssueCustom): Problem {
  const code = typeof issue.params?.code === 'string' ? issue.params.code : 'rest_invalid_param'
  const status = issue.params?.status
  return problem(code, issue.message, typeof status === 'number' ? { status } : null)
}
