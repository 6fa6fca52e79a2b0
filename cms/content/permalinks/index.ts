import { plainAddress } from '../posts/paths.ts'
import type { Post, SiteSettings } from '../types.ts'
import { compileStructure, type Structure } from './structure.ts'
import { dateValues } from './tag-values.ts'
import type { ArchiveBases, ArchiveDate, Permalinks } from './types.ts'

/** The site's current structure, compiled once for each setting. */
export function createStructure(settings: () => Pick<SiteSettings, 'permalinkStructure'>): () => Structure {
  let current = compileStructure(settings().permalinkStructure)
  return () => {
    const { permalinkStructure } = settings()
    if (current.text !== permalinkStructure) current = compileStructure(permalinkStructure)
    return current
  }
}

/** Bases of term archives under these settings. */
export function archiveBases(
  settings: Pick<SiteSettings, 'categoryBase' | 'tagBase'>,
  { front }: Structure,
): ArchiveBases {
  return { front, category: settings.categoryBase, tag: settings.tagBase }
}

const two = (number: number) => String(number).padStart(2, '0')

/** URLs that depend on the structure but do not belong to a post. */
export function permalinksOf(structure: Structure): Permalinks {
  const { text, front, dateFront, end } = structure

  function template(post: Post, name: string): string {
    if (text === '') return plainAddress(post)
    const at = post.slug === '' ? -1 : post.path.lastIndexOf(post.slug)
    if (post.type === 'post' && post.path === '')
      return structure.build({
        ...dateValues(post.date),
        ...{ post_id: String(post.id), postname: name, category: '%category%', author: '%author%' },
      })
    if (post.type === 'post' && !structure.tags.has('postname')) return post.path
    return at < 0 ? `/${name}${end}` : post.path.slice(0, at) + name + post.path.slice(at + post.slug.length)
  }

  return {
    ...{ structure: text, front, dateFront, end },
    author: (slug) => `${front}author/${slug}${end}`,
    type: (name) => `${front}${name}${end}`,
    template,
    date({ year, month, day, week }: ArchiveDate) {
      if (week !== undefined) return `/?m=${String(year).padStart(4, '0')}&w=${week}`
      const parts = [month, day].filter((part) => part !== undefined).map(two)
      return `${dateFront}${[String(year).padStart(4, '0'), ...parts].join('/')}${end}`
    },
  }
}
