import type { PageContext } from 'pentad'
import type { SeoSettings } from '../settings.ts'
import { DEFAULT_TITLE } from './settings.ts'

/** Templates for title and description of a kind of page. */
export interface Templates {
  readonly title: string
  readonly description: string
}

/** The templates in the settings for this kind of page, post type or taxonomy. */
export function templatesFor(page: Pick<PageContext, 'kind' | 'post' | 'term'>, settings: SeoSettings): Templates {
  switch (page.kind) {
    case 'front-page':
      return { title: settings.homeTitle, description: settings.homeDescription }
    case 'home':
      if (!page.post) return { title: settings.homeTitle, description: settings.homeDescription }
      return ofType('page', settings)
    case 'author':
      return { title: settings.authorTitleTemplate, description: settings.authorDescriptionTemplate }
    case 'date':
      return { title: settings.dateTitleTemplate, description: '' }
    case 'post-type':
      return { title: settings.archiveTitleTemplate, description: '' }
    case 'search':
      return { title: settings.searchTitleTemplate, description: '' }
    case '404':
      return { title: settings.notFoundTitleTemplate, description: '' }
    default:
      return ofType(page.post?.type ?? page.term?.taxonomy ?? '', settings)
  }
}

function ofType(name: string, settings: SeoSettings): Templates {
  switch (name) {
    case 'post':
      return { title: settings.postTitleTemplate, description: settings.postDescriptionTemplate }
    case 'page':
      return { title: settings.pageTitleTemplate, description: settings.pageDescriptionTemplate }
    case 'attachment':
      return { title: settings.attachmentTitleTemplate, description: settings.attachmentDescriptionTemplate }
    case 'category':
      return { title: settings.categoryTitleTemplate, description: settings.categoryDescriptionTemplate }
    case 'post_tag':
      return { title: settings.tagTitleTemplate, description: settings.tagDescriptionTemplate }
    default:
      return {
        title: own(settings.typeTitleTemplates, name) ?? DEFAULT_TITLE,
        description: own(settings.typeDescriptionTemplates, name) ?? '',
      }
  }
}

const own = (record: Readonly<Record<string, string>>, key: string) =>
  Object.hasOwn(record, key) ? record[key] : undefined
