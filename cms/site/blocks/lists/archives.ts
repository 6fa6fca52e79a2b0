import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { isSet, textAttribute } from '../../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import { weekOf } from '../../page/archive-date.ts'
import { formatDate } from '../../theme/date-format.ts'
import type { ThemeTexts } from '../../theme/texts.ts'
import {
  type BlockParts,
  type BlockRenderers,
  listTogether,
  pageScript,
  reader,
  tagPage,
  titleOf,
  uniqueId,
} from '../parts.ts'
import { readablePeriods } from './periods.ts'

interface Archive {
  readonly url: string
  readonly text: string
  readonly count: number | undefined
}

/** Maximum number of days, weeks or posts. */
const MOST = 500
const UNITS: Readonly<Record<string, 'year' | 'month' | 'day'>> = { yearly: 'year', monthly: 'month', daily: 'day' }
const DAY = 86_400_000

/** `core/archives`: months, years, days, weeks, or the posts themselves. */
export function archives({ content, origin, texts }: BlockParts): BlockRenderers {
  const format = (date: string, form: string) => formatDate(date, form, content.siteSettings())

  async function find(type: string): Promise<Archive[]> {
    if (type === 'postbypost' || type === 'alpha') return posts(type === 'alpha')
    if (type === 'weekly') return weeks()
    const unit = Object.hasOwn(UNITS, type) ? UNITS[type] : undefined
    if (!unit) return []
    const periods = await readablePeriods(content, { unit })
    return periods.slice(0, MOST).map(({ period, count }) => {
      const [year = 0, month, day] = period.split('-').map(Number)
      const first = `${period}-01-01`.slice(0, 10)
      const text =
        unit === 'year'
          ? period
          : format(`${first}T00:00:00`, unit === 'day' ? content.siteSettings().dateFormat : 'F Y')
      return { url: origin + content.permalinks().date({ year, month, day }), text, count }
    })
  }

  async function posts(isByTitle: boolean): Promise<Archive[]> {
    const order = isByTitle ? ({ orderBy: 'title', order: 'asc' } as const) : {}
    const query = { types: ['post'], limit: MOST, noFoundRows: true, readableBy: reader(), ...order }
    const { items } = await content.posts.query(query)
    tagPage('list-post', ...items.map(({ id }) => `post-${id}`))
    listTogether(items)
    return items.map((post) => ({ url: content.link(post), text: titleOf(content, post), count: undefined }))
  }

  async function weeks(): Promise<Archive[]> {
    const { startOfWeek, dateFormat } = content.siteSettings()
    /** By URL: like WordPress, lists a week at the turn of the year for both years. */
    const weeksFound = new Map<string, { readonly start: number; count: number }>()
    for (const { period, count } of await readablePeriods(content, { unit: 'day' })) {
      const day = new Date(`${period}T00:00:00Z`)
      const date = { year: day.getUTCFullYear(), week: weekOf(day, startOfWeek) }
      const start = day.getTime() - ((day.getUTCDay() - startOfWeek + 7) % 7) * DAY
      const path = content.permalinks().date(date)
      const found = weeksFound.get(path) ?? { start, count: 0 }
      found.count += count
      weeksFound.set(path, found)
    }
    const text = (at: number) => format(new Date(at).toISOString().slice(0, 19), dateFormat)
    return [...weeksFound].slice(0, MOST).map(([path, { start, count }]) => ({
      url: origin + path,
      text: `${text(start)}&#8211;${text(start + 6 * DAY)}`,
      count,
    }))
  }

  return {
    async 'core/archives'(attributes, _content, block) {
      const site = await texts()
      const type = textAttribute(attributes, 'type') || 'monthly'
      const found = await find(type)
      tagPage('archive-type-post')
      const isCounted = isSet(attributes, 'showPostCounts')
      if (!isSet(attributes, 'displayAsDropdown')) {
        const wrapper = wrapperAttributes(block, { class: 'wp-block-archives-list' })
        if (found.length === 0) return `<div ${wrapper}>${escapeHtml(site.__('No archives to show.'))}</div>`
        const items = found.map(({ url, text, count }) => {
          const number = isCounted && count !== undefined ? `&nbsp;(${count})` : ''
          return `\t<li><a href='${escapeHtml(url)}'>${text}</a>${number}</li>\n`
        })
        return `<ul ${wrapper}>${items.join('')}</ul>`
      }
      const id = uniqueId('wp-block-archives-')
      const hidden = isSet(attributes, 'showLabel') ? '' : ' screen-reader-text'
      const options = found.map(({ url, text, count }) => {
        const number = isCounted && count !== undefined ? `&nbsp;(${count})` : ''
        return `\t<option value='${escapeHtml(url)}'> ${text} ${number}</option>\n`
      })
      const script = pageScript(
        `document.getElementById('${id}').onchange=function(){if(this.value)location.href=this.value}`,
      )
      return `<div ${wrapperAttributes(block, { class: 'wp-block-archives-dropdown' })}><label for="${id}" class="wp-block-archives__label${hidden}">${escapeHtml(site.__('Archives'))}</label>
<select id="${id}" name="archive-dropdown">
<option value="">${escapeHtml(firstOption(type, site))}</option>${options.join('')}</select>${script}</div>`
    },
  }
}

/** What a list of archives shows before one is selected. */
function firstOption(type: string, { __ }: ThemeTexts): string {
  if (type === 'yearly') return __('Select Year')
  if (type === 'monthly') return __('Select Month')
  if (type === 'daily') return __('Select Day')
  return type === 'weekly' ? __('Select Week') : __('Select Post')
}
