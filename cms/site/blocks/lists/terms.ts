import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, numberAttribute, textAttribute } from '../../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import { descriptionHtml } from '../../../content/render/comment.ts'
import type { Term } from '../../../content/types.ts'
import { currentPage } from '../../current-page.ts'
import type { ThemeTexts } from '../../theme/texts.ts'
import {
  type BlockParts,
  type BlockRenderers,
  choiceClass,
  classNames,
  linkTo,
  pageScript,
  tagPage,
  uniqueId,
} from '../parts.ts'

/** Maximum number of terms. */
const MOST = 1000
const MOST_TAGS = 100
const DEPTH = 20

interface Branch {
  readonly term: Term
  readonly children: readonly Branch[]
  /** Number of posts, including child terms. */
  readonly count: number
}

interface Listed {
  readonly isHierarchical: boolean
  readonly isCounted: boolean
  readonly showsEmpty: boolean
  readonly onlyTop: boolean
}

/** `core/categories`, `core/tag-cloud` and `core/term-description`. */
export function terms({ content, origin, texts }: BlockParts): BlockRenderers {
  async function find(taxonomy: string): Promise<readonly Term[]> {
    const { items } = await content.terms.query({ taxonomy, orderBy: 'name', order: 'asc', limit: MOST })
    tagPage(`terms-${taxonomy}`, ...items.slice(0, MOST_TAGS).map(({ id }) => `term-${id}`))
    return items
  }

  function tree(all: readonly Term[]): Branch[] {
    const ids = new Set(all.map(({ id }) => id))
    const below = Map.groupBy(all, ({ parentId }) => (ids.has(parentId) ? parentId : 0))
    const branches = (parentId: number, depth: number): Branch[] =>
      (depth > DEPTH ? [] : (below.get(parentId) ?? [])).map((term) => {
        const children = branches(term.id, depth + 1)
        return { term, children, count: children.reduce((sum, { count }) => sum + count, term.count) }
      })
    return branches(0, 0)
  }

  function branchesOf(all: readonly Term[], { isHierarchical, showsEmpty, onlyTop }: Listed): Branch[] {
    const hasPosts = ({ count }: Branch) => showsEmpty || count > 0
    if (!isHierarchical) {
      const flat = all.filter((term) => !onlyTop || term.parentId === 0)
      return flat.map((term) => ({ term, children: [], count: term.count })).filter(hasPosts)
    }
    const pruned = (branches: readonly Branch[]): Branch[] =>
      branches.filter(hasPosts).map((branch) => ({ ...branch, children: onlyTop ? [] : pruned(branch.children) }))
    return pruned(tree(all))
  }

  function item({ term, children, count }: Branch, listed: Listed): string {
    const shown = currentPage()?.term
    const isCurrent = shown?.id === term.id
    const isParent = children.some((child) => child.term.id === shown?.id)
    const names = classNames(
      'cat-item',
      `cat-item-${term.id}`,
      isCurrent && 'current-cat',
      isParent && 'current-cat-parent',
    )
    const current = isCurrent ? ' aria-current="page"' : ''
    const link = `<a${current} href="${linkTo(content, term)}">${escapeHtml(term.name)}</a>`
    const number = listed.isCounted ? ` (${count})` : ''
    const below = children.map((child) => item(child, listed)).join('')
    return `\t<li class="${names}">${link}${number}\n${below && `<ul class='children'>\n${below}</ul>\n`}</li>\n`
  }

  function option({ term, children, count }: Branch, listed: Listed, level = 0): string {
    const number = listed.isCounted ? `&nbsp;&nbsp;(${count})` : ''
    const indent = '&nbsp;'.repeat(level * 3)
    const own = `\t<option class="level-${level}" value="${term.id}">${indent}${escapeHtml(term.name)}${number}</option>\n`
    return own + children.map((child) => option(child, listed, level + 1)).join('')
  }

  /** Names of taxonomies in sentences: those that WordPress has are translated. */
  function nameOf(taxonomy: string, { __ }: ThemeTexts): string {
    if (taxonomy === 'post_tag') return __('tags')
    if (taxonomy === 'category') return __('categories')
    return content.taxonomies().get(taxonomy)?.label.toLowerCase() ?? __('terms')
  }

  return {
    async 'core/categories'(attributes, _content, block) {
      const { __ } = await texts()
      const listed: Listed = {
        isHierarchical: isSet(attributes, 'showHierarchy'),
        isCounted: isSet(attributes, 'showPostCounts'),
        showsEmpty: isSet(attributes, 'showEmpty'),
        onlyTop: isSet(attributes, 'showOnlyTopLevel'),
      }
      const branches = branchesOf(await find('category'), listed)
      if (!isSet(attributes, 'displayAsDropdown')) {
        const wrapper = wrapperAttributes(block, { class: 'wp-block-categories-list' })
        const items = branches.map((branch) => item(branch, listed)).join('')
        return `<ul ${wrapper}>${items || `<li class="cat-item-none">${escapeHtml(__('No categories'))}</li>`}</ul>`
      }
      const id = uniqueId('wp-block-categories-')
      const options = branches.map((branch) => option(branch, listed)).join('')
      const script = pageScript(
        `document.getElementById('${id}').onchange=function(){if(this.value>0)location.href='${origin}/?cat='+this.value}`,
      )
      return `<div ${wrapperAttributes(block, { class: 'wp-block-categories-dropdown' })}><label class="screen-reader-text" for="${id}">${escapeHtml(__('Categories'))}</label><select  name='cat' id='${id}' class='postform'>
\t<option value='-1'>${escapeHtml(__('Select Category'))}</option>
${options}</select>${script}</div>`
    },

    async 'core/tag-cloud'(attributes, _content, block) {
      const name = textAttribute(attributes, 'taxonomy') || 'post_tag'
      const taxonomy = content.taxonomies().get(name)
      const site = await texts()
      // The entity as in WordPress's output.
      const none = escapeHtml(
        site.__('Your site doesn’t have any %s, so there’s nothing to display here at the moment.', nameOf(name, site)),
      ).replaceAll('’', '&#8217;')
      if (!taxonomy?.public) return `<p ${wrapperAttributes(block)}>${none}</p>`
      const most = numberAttribute(attributes, 'numberOfTags', { min: 1, max: MOST_TAGS, fallback: 45 })
      const query = { taxonomy: name, hideEmpty: true, orderBy: 'count', order: 'desc', limit: most } as const
      const { items } = await content.terms.query(query)
      tagPage(`terms-${name}`, ...items.map(({ id }) => `term-${id}`))
      const cloud = cloudOf(items, attributes, { link: (term) => linkTo(content, term), texts: site })
      return `<p ${wrapperAttributes(block)}>${cloud || none}</p>`
    },

    'core/term-description'(attributes, _content, block) {
      const html = content.texturize(descriptionHtml(content.currentAddresses(currentPage()?.term?.description ?? '')))
      const align = choiceClass('has-text-align-', textAttribute(attributes, 'textAlign'))
      return html === '' ? '' : `<div ${wrapperAttributes(block, { class: align })}>${html}</div>`
    },
  }
}

/** WordPress's `wp_generate_tag_cloud`: font sizes in proportion to the counts. */
function cloudOf(
  found: readonly Term[],
  attributes: Parameters<typeof textAttribute>[0],
  { link, texts }: { link: (term: Term) => string; texts: ThemeTexts },
): string {
  const sizeOf = (name: string, fallback: number) => Number.parseFloat(textAttribute(attributes, name)) || fallback
  const unit = /^[0-9.]+([a-z%]+)$/i.exec(textAttribute(attributes, 'smallestFontSize'))?.[1] ?? 'pt'
  const smallest = sizeOf('smallestFontSize', 8)
  const largest = sizeOf('largestFontSize', 22)
  const sorted = found.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { sensitivity: 'base' }))
  const weights = sorted.map(({ count }) => Math.round(Math.log10(count + 1) * 100))
  const least = Math.min(...weights)
  const spread = Math.max(1, Math.max(...weights) - least)
  const step = Math.max(0, largest - smallest) / spread
  const tags = sorted.map((term, at) => {
    const size = smallest + ((weights[at] ?? 0) - least) * step
    const name = escapeHtml(term.name)
    const items = escapeHtml(texts._n('%s item', '%s items', term.count))
    const number = isSet(attributes, 'showTagCounts') ? `<span class="tag-link-count"> (${term.count})</span>` : ''
    const place = `class="tag-cloud-link tag-link-${term.id} tag-link-position-${at + 1}"`
    return `<a href="${link(term)}" ${place} style="font-size: ${size}${unit};" aria-label="${name} (${items})">${name}${number}</a>`
  })
  return tags.join('\n')
}
