import { z } from 'zod'
import { RestError } from '../../core/errors.ts'
import { isJsonRecord } from '../../core/options/json.ts'
import { readSiteSettings, SITE_INFO_DEFAULTS, SITE_SETTINGS, siteInfoSchema } from '../../core/options/site-info.ts'
import type { JsonValue, Options } from '../../core/options/types.ts'
import { formatsWith } from './date-formats.ts'
import {
  baseFault,
  compileStructure,
  hidesTags,
  normalizeBase,
  normalizeStructure,
  structureFault,
} from './permalinks/structure.ts'

/** The site's own settings, WordPress's names and defaults; stored in the `site_settings` option. */
export interface SiteSettings {
  readonly title: string
  readonly description: string
  /** IANA name; empty is UTC. */
  readonly timezone: string
  readonly dateFormat: string
  readonly timeFormat: string
  readonly startOfWeek: number
  readonly language: string
  readonly postsPerPage: number
  readonly showOnFront: 'posts' | 'page'
  readonly pageOnFront: number
  readonly pageForPosts: number
  readonly defaultCategory: number
  /** The permalink structure, as in WordPress: `/%year%/%postname%/`; empty for plain permalinks, `/?p=7`. */
  readonly permalinkStructure: string
  /** Category base and tag base of permalinks; empty for `category` and `tag`. */
  readonly categoryBase: string
  readonly tagBase: string
  readonly defaultCommentStatus: 'open' | 'closed'
  readonly defaultPingStatus: 'open' | 'closed'
  readonly adminEmail: string
  readonly useSmilies: boolean
  readonly defaultPostFormat: string
  /** Id of an image; `null` for none. */
  readonly siteLogo: number | null
  /** Id of an image; 0 for none. */
  readonly siteIcon: number
}

/** Settings that change. */
export type SiteSettingsChanges = { readonly [Key in keyof SiteSettings]?: SiteSettings[Key] | undefined }

const id = z.int().min(0).max(2_147_483_647)
const openOrClosed = z.enum(['open', 'closed'])

const base = z
  .string()
  .max(200)
  .transform(normalizeBase)
  .superRefine((text, check) => {
    const fault = baseFault(text)
    if (fault !== undefined) check.addIssue(fault)
  })

const schema = siteInfoSchema.extend({
  dateFormat: z.string().max(100),
  timeFormat: z.string().max(100),
  startOfWeek: z.int().min(0).max(6),
  language: z.string().regex(/^[a-zA-Z]{2,3}(?:[_-][a-zA-Z0-9]+)*$/, 'is not a locale'),
  postsPerPage: z.int().min(1).max(1000),
  showOnFront: z.enum(['posts', 'page']),
  pageOnFront: id,
  pageForPosts: id,
  defaultCategory: id,
  permalinkStructure: z
    .string()
    .transform(normalizeStructure)
    .superRefine((structure, check) => {
      const fault = structureFault(structure)
      if (fault !== undefined) check.addIssue(fault)
    }),
  categoryBase: base,
  tagBase: base,
  defaultCommentStatus: openOrClosed,
  defaultPingStatus: openOrClosed,
  useSmilies: z.boolean(),
  defaultPostFormat: z.string().max(100),
  siteLogo: id.nullable(),
  siteIcon: id,
})

const changesSchema = schema.partial()

/** WordPress's defaults. */
export const SITE_DEFAULTS: SiteSettings = {
  ...SITE_INFO_DEFAULTS,
  dateFormat: 'F j, Y',
  timeFormat: 'g:i a',
  startOfWeek: 1,
  language: 'en_US',
  postsPerPage: 10,
  showOnFront: 'posts',
  pageOnFront: 0,
  pageForPosts: 0,
  defaultCategory: 1,
  permalinkStructure: '/%postname%/',
  categoryBase: '',
  tagBase: '',
  defaultCommentStatus: 'open',
  defaultPingStatus: 'open',
  useSmilies: true,
  defaultPostFormat: '0',
  siteLogo: null,
  siteIcon: 0,
}

export interface SiteSettingsStore {
  get(): SiteSettings
  /**
   * With another language, date and time formats that are the usual ones of the former language become those of the new one, unless the
   * changes contain formats.
   *
   * @throws RestError `rest_invalid_param` naming each value that is wrong; nothing is stored then.
   */
  update(changes: SiteSettingsChanges): Promise<SiteSettings>
}

/** The site's settings merged over their defaults. A stored value that is no longer valid is replaced with its default. */
export function createSiteSettings(options: Options, adminEmail: string): SiteSettingsStore {
  const get = readSiteSettings(options, schema, { ...SITE_DEFAULTS, adminEmail })

  async function update(changes: SiteSettingsChanges): Promise<SiteSettings> {
    const parsed = changesSchema.safeParse(changes)
    if (!parsed.success) throw invalid(parsed.error.issues.map(({ path: [name], message }) => [String(name), message]))
    requireApart(parsed.data)
    const known: Record<string, JsonValue> = {}
    for (const [key, value] of Object.entries(parsed.data)) if (value !== undefined) known[key] = value
    const { language } = parsed.data
    const formats = language === undefined ? {} : formatsWith(language, get())
    await options.modify(SITE_SETTINGS, (current) => ({
      ...(isJsonRecord(current) ? current : {}),
      ...formats,
      ...known,
    }))
    return get()
  }

  /** Only where a base is changed: a site that has such bases can change everything else. */
  function requireApart(changes: z.output<typeof changesSchema>): void {
    const name = changes.tagBase === undefined ? 'categoryBase' : 'tagBase'
    if (changes[name] === undefined) return
    const now = get()
    const { front } = compileStructure(changes.permalinkStructure ?? now.permalinkStructure)
    const category = (changes.categoryBase ?? now.categoryBase) || `${front}category`.slice(1)
    const tag = (changes.tagBase ?? now.tagBase) || `${front}tag`.slice(1)
    if (hidesTags(category, tag))
      throw invalid([[name, `The tag base /${tag}/ conflicts with the category base /${category}/.`]])
  }

  return { get, update }
}

function invalid(problems: readonly (readonly [name: string, message: string])[]): RestError {
  const params = Object.fromEntries(problems)
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${Object.keys(params).join(', ')}`, {
    status: 400,
    params,
  })
}
