import { z } from 'zod'
import type { SiteSettings } from '../content/types.ts'
import { toLanguage } from '../text/language.ts'
import type { Abilities } from './types.ts'

const site = z.object({
  name: z.string().describe('The site title.'),
  description: z.string().describe('The site tagline.'),
  url: z.string(),
  wpurl: z.string(),
  admin_email: z.string(),
  charset: z.string(),
  language: z.string().describe('The site locale in dash form, such as en-US.'),
  version: z.string().describe('The version of the host.'),
})

const user = z.object({
  id: z.int(),
  display_name: z.string(),
  user_nicename: z.string(),
  user_login: z.string(),
  roles: z.array(z.string()),
  locale: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  description: z.string(),
  user_url: z.string(),
})

const onlySome = <Field extends string>(fields: z.ZodEnum<Record<Field, Field>>) =>
  z.object({ fields: z.array(fields).optional().describe('Only these; default: all.') })

const pick = <Values extends object>(values: Values, fields: readonly string[] | undefined) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !fields?.length || fields.includes(name)))

/** `core/get-site-info` and `core/get-user-info`, as WordPress 6.9 has them. */
export function registerSiteInfo(
  abilities: Pick<Abilities, 'register'>,
  { siteSettings, url, version }: { siteSettings: () => SiteSettings; url: string; version: string },
): void {
  abilities.register({
    name: 'core/get-site-info',
    label: 'Get Site Information',
    description:
      'Returns the title, tagline, URL, language, and version of the site: all fields, or only the requested ones.',
    category: 'site',
    input: onlySome(site.keyof()),
    output: site.partial(),
    permission: 'manage_options',
    readonly: true,
    execute({ fields }) {
      const { title, description, adminEmail, language } = siteSettings()
      const all = { name: title, description, url, wpurl: url, admin_email: adminEmail, charset: 'UTF-8', version }
      return pick({ ...all, language: toLanguage(language) }, fields)
    },
  })
  abilities.register({
    name: 'core/get-user-info',
    label: 'Get User Information',
    description: 'Returns the names, roles, and language of the current user: all fields, or only the requested ones.',
    category: 'user',
    input: onlySome(user.keyof()),
    output: user.partial(),
    permission: 'read',
    readonly: true,
    execute({ fields }, caller) {
      if (!caller) return {}
      const { id, displayName, slug, login, roles, locale, firstName, lastName, description, url } = caller
      const names = { display_name: displayName, user_nicename: slug, user_login: login }
      const all = { id, ...names, roles: [...roles], locale, first_name: firstName, last_name: lastName, description }
      return pick({ ...all, user_url: url }, fields)
    },
  })
}
