import { type Auth, type Content, type Meta, type Post, toLanguage } from 'pentad'
import type { Meaning } from './meanings.ts'
import type { Place } from './translate.ts'
import { textOf } from './values.ts'

/** Values of a post that replace variables without an equivalent. */
export function placeOf(
  post: Post,
  { content, users, meta }: { content: Content; users: Auth['users']; meta: Meta },
): Place {
  /** Names or descriptions of the terms of the post in a taxonomy. */
  async function termsIn(taxonomy: string, part: 'name' | 'description'): Promise<string[]> {
    const ids = (await content.terms.ofPosts([post.id])).get(post.id)?.[taxonomy] ?? []
    const found = await content.terms.getMany(ids)
    return ids.flatMap((id) => found.get(id)?.[part] ?? [])
  }
  const ofAuthor = async (part: 'firstName' | 'lastName' | 'url') => (await users.get(post.authorId))?.[part] ?? ''
  const first = async (taxonomy: string, part: 'name' | 'description') => (await termsIn(taxonomy, part))[0] ?? ''
  const inWords = (format: Intl.DateTimeFormatOptions) => {
    const language = toLanguage(content.siteSettings().language)
    return new Intl.DateTimeFormat(language, { ...format, timeZone: 'UTC' }).format(Date.parse(`${post.date}Z`))
  }

  const values: Readonly<Partial<Record<Meaning, () => string | Promise<string>>>> = {
    authorFirstName: () => ofAuthor('firstName'),
    authorId: () => String(post.authorId),
    authorLastName: () => ofAuthor('lastName'),
    authorUrl: () => ofAuthor('url'),
    day: () => inWords({ day: 'numeric' }),
    excerptOnly: () => (post.excerpt === '' ? '' : '%excerpt%'),
    id: () => String(post.id),
    month: () => inWords({ month: 'long' }),
    tag: () => first('post_tag', 'name'),
    url: () => content.link(post),
    year: () => inWords({ year: 'numeric' }),
  }

  return {
    isTerm: false,
    async writeOut(meaning) {
      const known = values[meaning]
      if (known) return known()
      const [kind, name = ''] = splitOnce(meaning, ':')
      if (kind === 'field') return Object.hasOwn(meta, name) ? textOf(meta[name]?.[0]) : ''
      if (kind === 'term') return first(name, 'name')
      if (kind === 'terms') return (await termsIn(name, 'name')).join(', ')
      return kind === 'termDescription' ? first(name, 'description') : undefined
    },
  }
}

function splitOnce(text: string, mark: string): [before: string, after?: string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
