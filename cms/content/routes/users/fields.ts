import { z } from 'zod'
import type { User } from '../../../../core/auth/types.ts'
import { type ProfilePicture, pictureIdOf, picturesOf } from '../../profile-pictures.ts'
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
  /** By id of the user. */
  readonly pictures: ReadonlyMap<number, ProfilePicture>
}

/** Loads related data for all users of the response together: the context `edit` contains the nickname, which is meta. */
export async function lookAroundUsers(
  content: Content,
  users: readonly User[],
  { context, wants }: { context: Context; wants: Wants },
): Promise<AroundUsers> {
  const ids = users.map(({ id }) => id)
  const wantsAll = wants('avatar_urls') || (context === 'edit' && (wants('nickname') || wants('profile_picture')))
  const metas = await (wantsAll
    ? content.meta.of('user', ids)
    : storedMeta(content, USER_META, { ids, context, wants }))
  return { context, metas, pictures: wants('avatar_urls') ? await picturesOf(content, metas) : new Map() }
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
    locale: { contexts: EDIT, schema: z.string(), read: (user) => user.locale },
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
    avatar_urls: {
      contexts: ALL,
      schema: avatarShape,
      read: (user, { pictures }) => avatarUrls(hooks, user.slug, pictures.get(user.id)?.details),
    },
    meta: {
      contexts: VIEW_EDIT,
      schema: metaValues,
      read: (user, { metas, context }) => declaredMeta(content, USER_META, { stored: metas.get(user.id), context }),
    },
    profile_picture: { contexts: EDIT, schema: z.int(), read: (user, { metas }) => pictureIdOf(metas.get(user.id)) },
  }
}
