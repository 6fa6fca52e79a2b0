import type { Meta } from 'pentad'
import type { Field, LegacyFields, LegacyOptions, LegacyPlugin } from './types.ts'
import { at, isEmpty } from './values.ts'

/** The fields of a plugin for a post or term, from its meta; empty values are omitted. */
export function readLegacyFields(plugin: LegacyPlugin, meta: Meta, options: LegacyOptions): LegacyFields {
  const valueAt = (place: string) => {
    const [key = '', ...parts] = place.split('.')
    const value = Object.hasOwn(meta, key) ? meta[key]?.[0] : undefined
    return parts.length === 0 ? value : at(value, parts)
  }
  const fields: Partial<Record<Field, LegacyFields[Field]>> = {}
  for (const [place, field] of Object.entries(plugin.places)) {
    const value = valueAt(place)
    if (!isEmpty(value) && fields[field] === undefined) fields[field] = value
  }
  return plugin.complete?.(fields, { at: valueAt, options }) ?? fields
}
