import { z } from 'zod'
import type { User } from '../../../../core/auth/types.ts'
import type { Content, Meta } from '../../types.ts'
import { avatarUrls } from '../avatars.ts'
import { declaredMeta, storedMeta, USER_META } from '../declared-meta.ts'
import { ALL, type Context, EDIT, type Fields, VIEW_EDIT, type Wants } from '../fields.ts'
import type { RouteParts } from '../parts.ts'
import { avatarShape, capabilityShape, metaValues } from '../response-shapes.ts'

/** Related data for the users of a response. */
export interface AroundUsers {
  readonly context: Context
  readonly metas: ReadonlyMap<number, Meta>
}

/** Loads related data for all users of the response together: the context `edit` contains the nickname, which is meta. */
export async function lookAroundUsers(
  content: Content,
  users: readonly User[],
  { context, wants }: { context: Context; wants: Wants },
): Promise<AroundUsers> {
  const ids = users.map(({ id }) => id)
  const showsNickname = context === 'edit' && wants('nickname')
  const metas = showsNickname ? content.meta.of('user', ids) : storedMeta(content, USER_META, { ids, context, wants })
  return { context, metas: await metas }
}

/** The fields of a user in WordPress's order. */
export function userFields({ auth, content, hooks, siteUrl }: RouteParts): Fields<User, AroundUsers> {
  const allOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, true]))
  return {
    id: { contexts: ALL, schema: z.int(), read: (user) => user.id },
    username: { contexts: EDIT, schema: z.string(), read: (user) => user.login },
    name: { contexts: ALL, schema: z.string(), read: (user) => user.displayName },
    first_name: { contexts: EDIT, schema: z.string(), read: (user) => user.firstName },
    last_name: { contexts: EDIT, schema: z.string(), read: (user) => user.lastName },
    email: { contexts: EDIT, schema: z.string(), read: (user) => user.email },
    url: { contexts: ALL, schema: z.string(), read: (user) => user.url },
    description: { contexts: ALL, schema: z.string(), read: (user) => user.description },
    link: { contexts: ALL, schema: z.string(), read: (user) => siteUrl + content.permalinks().author(user.slug) },
    locale: { contexts: EDIT, schema: z.string(), read: (user) => user.locale || 'en_US' },
    nickname: {
      contexts: EDIT,
      schema: z.unknown(),
      read: (user, { metas }) => metas.get(user.id)?.nickname?.[0] ?? user.login,
    },
    slug: { contexts: ALL, schema: z.string(), read: (user) => user.slug },
    roles: { contexts: EDIT, schema: z.array(z.string()), read: (user) => user.roles },
    registered_date: {
      contexts: EDIT,
      schema: z.string(),
      read: (user) => user.registered.replace(/(?:\.\d+)?Z$/, '+00:00'),
    },
    capabilities: {
      contexts: EDIT,
      schema: capabilityShape,
      read: (user) => ({ ...auth.capabilities(user), ...allOf(user.roles) }),
    },
    extra_capabilities: { contexts: EDIT, schema: capabilityShape, read: (user) => allOf(user.roles) },
    avatar_urls: { contexts: ALL, schema: avatarShape, read: (user) => avatarUrls(hooks, user.slug) },
    meta: {
      contexts: VIEW_EDIT,
      schema: metaValues,
      read: (user, { metas, context }) => declaredMeta(content, USER_META, { stored: metas.get(user.id), context }),
    },
  }
}
