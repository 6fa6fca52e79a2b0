import { z } from 'zod'
import { pluralize } from '../text/pluralize.ts'

/** In lowercase, as in `URL.hostname`; a wildcard stands for what is below a domain, not below a top-level domain. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\*(?:\.[a-z0-9_-]+){2,})$/
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Permissions that a sandboxed extension requests in its manifest. Anything not listed is denied. */
export const permissionsSchema = z.strictObject({
  /** Hooks that it may add callbacks to: `the_content`, `save_post`. */
  hooks: z.array(z.string().max(100)).max(100).default([]),
  /** Whether its HTML is printed unchanged, with scripts. The scripts can do everything that the browser of a visitor or an administrator can do. */
  unfilteredHtml: z.boolean().default(false),
  /** Values of `access` of its routes: `public`, or capabilities. */
  routes: z.array(z.string().max(100)).max(20).default([]),
  /** Posts of these types, `post` and `page` by default. */
  content: z
    .strictObject({
      /** `published`: what any visitor may read. `own`: also what it created. `all`: also drafts and private posts. */
      read: z.enum(['published', 'own', 'all']).optional(),
      /** `own`: what it created. */
      write: z.enum(['own', 'all']).optional(),
      types: z.array(z.string().max(60)).max(30).default(['post', 'page']),
    })
    .optional(),
  /** Whether it learns who the current user is: ID, names and roles. */
  users: z.boolean().default(false),
  /** Megabytes that its options may take up. */
  storage: z.number().positive().max(8).optional(),
  /** Whether it has settings. */
  settings: z.boolean().default(false),
  fetch: z
    .strictObject({
      /** `api.example.org`; `*.example.org` for all of its subdomains. */
      hosts: z.array(z.string().max(253).regex(HOST, 'Write api.example.org or *.example.org.')).max(30).default([]),
      /** Settings whose URLs an administrator enters: their hosts are allowed too. */
      hostsFromSettings: z.array(z.string().max(60)).max(10).default([]),
      methods: z.array(z.enum(METHODS)).default(['GET']),
      perMinute: z.int().min(1).max(600).default(60),
    })
    .optional(),
  mail: z.strictObject({ perHour: z.int().min(1).max(1000) }).optional(),
  /** Whether it has scheduled events. */
  schedules: z.boolean().default(false),
  /** Whether it adds pages to the admin, which use only its own routes. */
  adminPages: z.boolean().default(false),
  /** Whether it adds read-only abilities for agents. */
  abilities: z.boolean().default(false),
})

/** As the author writes them. */
export type SandboxPermissions = Readonly<z.input<typeof permissionsSchema>>
/** With defaults. */
export type GrantedPermissions = z.output<typeof permissionsSchema>

/** One thing that an extension may do. */
export interface PermissionItem {
  /** Identifies it in the record of its use: `hook the_content`. */
  readonly key: string
  /** What a consent stores: the key with its limits, which stays the same when the text is reworded. */
  readonly grant: string
  /** For the administrator. */
  readonly text: string
}

/** The permissions one by one, as an administrator consents to them. */
export function permissionItems(granted: GrantedPermissions): PermissionItem[] {
  const { content, fetch, mail } = granted
  const methods = new Intl.ListFormat('en').format(fetch?.methods ?? [])
  const requests = `up to ${pluralize(fetch?.perMinute ?? 0, `${methods} request`)} a minute`
  const rate = `${fetch?.methods.join(',')} ${fetch?.perMinute}`
  const items: ((Pick<PermissionItem, 'key' | 'text'> & { limits?: string }) | false | undefined)[] = [
    ...granted.hooks.map((hook) => ({
      key: `hook ${hook}`,
      text: hook === 'purge_pages' ? 'Purge cached pages' : `Use the hook ${hook}`,
    })),
    granted.unfilteredHtml && {
      key: 'unfiltered html',
      text: 'Add HTML with scripts, which run with the permissions of the user who views the page',
    },
    ...granted.routes.map((access) => ({ key: `route ${access}`, text: `Add REST routes with access: ${access}` })),
    content?.read && {
      key: `read ${content.read}`,
      text: `Read ${content.read === 'own' ? 'published content and its own' : content.read} content (${content.types.join(', ')})`,
      limits: content.types.join(','),
    },
    content?.write && {
      key: `write ${content.write}`,
      text: `Change ${content.write === 'own' ? 'its own' : content.write} content (${content.types.join(', ')})`,
      limits: content.types.join(','),
    },
    granted.users && { key: 'users', text: 'See the name and roles of the current user' },
    granted.storage !== undefined && {
      key: 'storage',
      text: `Store up to ${granted.storage} MB`,
      limits: `${granted.storage}`,
    },
    granted.settings && { key: 'settings', text: 'Add its own settings' },
    ...(fetch?.hosts ?? []).map((host) => ({
      key: `fetch ${host}`,
      text: `Send ${requests} to ${host}`,
      limits: rate,
    })),
    ...(fetch?.hostsFromSettings ?? []).map((name) => ({
      key: `fetch setting ${name}`,
      text: `Send ${requests} to the URLs in its setting ${name}`,
      limits: rate,
    })),
    mail && { key: 'mail', text: `Send up to ${pluralize(mail.perHour, 'email')} an hour`, limits: `${mail.perHour}` },
    granted.schedules && { key: 'schedules', text: 'Run scheduled events' },
    granted.adminPages && { key: 'admin pages', text: 'Add pages to the admin' },
    granted.abilities && { key: 'abilities', text: 'Add abilities for AI agents' },
  ]
  return items
    .filter((item) => typeof item === 'object')
    .map(({ key, text, limits }) => ({ key, text, grant: limits === undefined ? key : `${key} ${limits}` }))
}

/** What the new permissions allow beyond those that were consented to. @param consented - Grants or texts of `permissionItems`. */
export function addedPermissions(consented: readonly string[], asked: GrantedPermissions): string[] {
  return permissionItems(asked).flatMap(({ grant, text }) =>
    consented.includes(grant) || consented.includes(text) ? [] : [text],
  )
}

/** Thrown when an extension uses something that it has no permission for. */
export class PermissionError extends Error {
  override readonly name = 'PermissionError'

  /** @param permission - As in the manifest: `fetch.hosts`. */
  constructor(what: string, permission: string) {
    super(`${what} is not allowed. Add it to permissions.${permission} in the manifest.`)
  }
}
