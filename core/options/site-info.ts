import { z } from 'zod'
import { isJsonRecord, type JsonRecord } from './json.ts'
import type { JsonValue, Options } from './types.ts'

/** The option that holds the settings of the site, these among others. */
export const SITE_SETTINGS = 'site_settings'

/** Whether this process knows the time zone, an IANA name; empty is UTC. */
export function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone === '' ? 'UTC' : timezone })
    return true
  } catch {
    return false
  }
}

/** What the host itself asks of the site's settings: for mail, schedules, passwords and the index of REST. */
export const siteInfoSchema = z.object({
  title: z.string().max(1000),
  description: z.string().max(1000),
  timezone: z.string().max(100).refine(isTimezone, 'is not a time zone'),
  adminEmail: z.union([z.email(), z.literal('')]),
})

export type SiteInfo = Readonly<z.output<typeof siteInfoSchema>>

/** The title is ours, the others are WordPress's. */
export const SITE_INFO_DEFAULTS: SiteInfo = {
  title: 'My Pentad site',
  description: '',
  timezone: '',
  adminEmail: '',
}

/**
 * Reads the site's settings by a schema, over their defaults. A stored value that is not valid any more counts as its
 * default. What is answered stays the same object while nothing is stored.
 */
export function readSiteSettings<Schema extends z.ZodObject>(
  options: Pick<Options, 'get'>,
  schema: Schema,
  defaults: z.output<Schema>,
): () => z.output<Schema> {
  let record: JsonValue | undefined
  let settings = defaults
  return () => {
    const stored = options.get(SITE_SETTINGS)
    // Records are frozen and replaced as a whole, so the same object means the same settings.
    if (stored === record) return settings
    record = stored
    settings = readOver(schema, isJsonRecord(stored) ? stored : {}, defaults)
    return settings
  }
}

function readOver<Schema extends z.ZodObject>(schema: Schema, stored: JsonRecord, defaults: z.output<Schema>) {
  const whole = schema.safeParse({ ...defaults, ...stored })
  if (whole.success) return whole.data
  const invalidKeys = new Set(whole.error.issues.map((issue) => issue.path[0]))
  const valid = Object.entries(stored).filter(([key]) => !invalidKeys.has(key))
  return schema.parse({ ...defaults, ...Object.fromEntries(valid) })
}

/** @param adminEmail - The administrator's address until another one is stored. */
export function createSiteInfo(options: Pick<Options, 'get'>, adminEmail: string): () => SiteInfo {
  return readSiteSettings(options, siteInfoSchema, { ...SITE_INFO_DEFAULTS, adminEmail })
}
