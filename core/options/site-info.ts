import { z } from 'zod'
import { freezeDeeply, isJsonRecord, type JsonRecord } from './json.ts'
import type { JsonValue, Options } from './types.ts'

/** The option that contains these and other settings of the site. */
export const SITE_SETTINGS = 'site_settings'

/** Whether this process knows the time zone, an IANA name; empty is UTC. */
export function isTimezone(timezone: string): boolean {
  try {
    return timezone === '' || Boolean(new Intl.DateTimeFormat('en', { timeZone: timezone }))
  } catch {
    return false
  }
}

/** The site settings that the host itself needs: for mail, schedules, passwords and the REST index. */
export const siteInfoSchema = z.object({
  title: z.string().max(1000),
  description: z.string().max(1000),
  timezone: z.string().max(100).refine(isTimezone, 'is not a valid time zone'),
  adminEmail: z.union([z.email(), z.literal('')]),
})

export type SiteInfo = Readonly<z.output<typeof siteInfoSchema>>

/** WordPress's defaults, except for the title. */
export const SITE_INFO_DEFAULTS: SiteInfo = { title: 'My Pentad site', description: '', timezone: '', adminEmail: '' }

/**
 * Reads the site's settings by a schema. Missing and invalid values get their defaults. Returns the same object until the settings are
 * stored again.
 */
export function readSiteSettings<Schema extends z.ZodObject>(
  options: Pick<Options, 'get'>,
  schema: Schema,
  defaults: z.output<Schema>,
): () => z.output<Schema> {
  let record: JsonValue | undefined
  let settings = freezeDeeply(defaults)
  return () => {
    const stored = options.get(SITE_SETTINGS)
    // Records are frozen and replaced as a whole, so the same object means the same settings.
    if (stored === record) return settings
    record = stored
    settings = freezeDeeply(readOver(schema, isJsonRecord(stored) ? stored : {}, defaults))
    return settings
  }
}

function readOver<Schema extends z.ZodObject>(schema: Schema, stored: JsonRecord, defaults: z.output<Schema>) {
  const whole = schema.safeParse({ ...defaults, ...stored }, { jitless: true })
  if (whole.success) return whole.data
  const invalidKeys = new Set(whole.error.issues.map((issue) => issue.path[0]))
  const valid = Object.entries(stored).filter(([key]) => !invalidKeys.has(key))
  return schema.parse({ ...defaults, ...Object.fromEntries(valid) })
}

/** @param adminEmail - Default for the administrator's address. */
export function createSiteInfo(options: Pick<Options, 'get'>, adminEmail: string): () => SiteInfo {
  return readSiteSettings(options, siteInfoSchema, { ...SITE_INFO_DEFAULTS, adminEmail })
}
