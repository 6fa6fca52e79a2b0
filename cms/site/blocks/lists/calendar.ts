import { escapeHtml } from '../../../../core/http/escape-html.ts'
import { numberAttribute } from '../../../content/blocks/attributes.ts'
import { wrapperAttributes } from '../../../content/blocks/supports.ts'
import { gmtNow, gmtToSite } from '../../../content/site-time.ts'
import { currentPage } from '../../current-page.ts'
import { formatDate, twoDigits } from '../../theme/date-format.ts'
import { type BlockParts, type BlockRenderers, reader, tagPage } from '../parts.ts'
import { readablePeriods } from './periods.ts'

interface Month {
  /** Days with posts: `2026-01-31`. */
  readonly days: ReadonlySet<string>
  /** The previous and next month with posts. */
  readonly before: string | undefined
  readonly after: string | undefined
}

const daysOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** `core/calendar`: the days of a month with posts. */
export function calendar({ content, pageData, origin, texts }: BlockParts): BlockRenderers {
  const format = (date: string, form: string) => formatDate(date, form, content.siteSettings())

  /** The previous or next month with posts. */
  async function adjacentMonth(
    query: { after?: string; before?: string },
    order: 'asc' | 'desc',
  ): Promise<string | undefined> {
    const { items } = await content.posts.query({
      ...{ types: ['post'], limit: 1, noFoundRows: true, order, readableBy: reader() },
      ...query,
    })
    return items[0]?.date.slice(0, 7)
  }

  /** Data of a month for the calendar. @param name `2026-01` */
  async function look(name: string): Promise<Month> {
    const [year = 0, month = 1] = name.split('-').map(Number)
    const next = month === 12 ? `${year + 1}-01` : `${name.slice(0, 4)}-${twoDigits(month + 1)}`
    const from = `${name}-01T00:00:00`
    const [found, before, after] = await Promise.all([
      readablePeriods(content, { unit: 'day', after: from, before: `${next}-01T00:00:00` }),
      adjacentMonth({ before: from }, 'desc'),
      adjacentMonth({ after: `${name}-${daysOf(year, month)}T23:59:59` }, 'asc'),
    ])
    return { days: new Set(found.map(({ period }) => period)), before, after }
  }
  const remembered = pageData.remember(look)

  async function hasPosts(): Promise<boolean> {
    const { items } = await content.posts.query({ types: ['post'], limit: 1, noFoundRows: true, readableBy: reader() })
    return items.length > 0
  }
  const rememberedHasPosts = pageData.remember(hasPosts)

  function link(month: string | undefined, side: 'prev' | 'next'): string {
    if (month === undefined) return `<span class="wp-calendar-nav-${side}">&nbsp;</span>`
    const [year = 0, number] = month.split('-').map(Number)
    const url = escapeHtml(origin + content.permalinks().date({ year, month: number }))
    const name = format(`${month}-01T00:00:00`, 'M')
    const text = side === 'prev' ? `&laquo; ${name}` : `${name} &raquo;`
    return `<span class="wp-calendar-nav-${side}"><a href="${url}">${text}</a></span>`
  }

  /** The month to show: set in the block, that of a date archive, or the current month. */
  function shown(attributes: Parameters<typeof numberAttribute>[0], today: string): { year: number; month: number } {
    const year = numberAttribute(attributes, 'year', { max: 9999 })
    const month = numberAttribute(attributes, 'month', { max: 12 })
    const { structure } = content.permalinks()
    const isDated = structure.includes('%monthnum%') && structure.includes('%year%')
    if (isDated && year > 0 && month > 0) return { year, month }
    const date = currentPage()?.date
    if (date?.month !== undefined) return { year: date.year, month: date.month }
    return { year: date?.year ?? Number(today.slice(0, 4)), month: date ? 1 : Number(today.slice(5, 7)) }
  }

  async function table(year: number, month: number, today: string): Promise<string> {
    const { startOfWeek, dateFormat } = content.siteSettings()
    const { __ } = await texts()
    const name = `${String(year).padStart(4, '0')}-${twoDigits(month)}`
    const days = daysOf(year, month)
    const from = `${name}-01T00:00:00`
    const { days: withPosts, before, after } = await (reader() ? look(name) : remembered(name))
    const heads = Array.from({ length: 7 }, (_, at) => {
      // 2023-01-01 was a Sunday.
      const day = format(`2023-01-${twoDigits(1 + ((startOfWeek + at) % 7))}T00:00:00`, 'l')
      return `\t\t<th scope="col" title="${escapeHtml(day)}">${escapeHtml([...day][0] ?? '')}</th>\n`
    })
    const pad = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() - startOfWeek + 7) % 7
    let rows = pad > 0 ? `\t\t<td colspan="${pad}" class="pad">&nbsp;</td>` : ''
    for (let day = 1; day <= days; day++) {
      const date = `${name}-${twoDigits(day)}`
      if (day > 1 && (pad + day - 1) % 7 === 0) rows += '\n\t</tr>\n\t<tr>\n\t\t'
      const label = __('Posts published on %s', format(`${date}T00:00:00`, dateFormat))
      const url = escapeHtml(origin + content.permalinks().date({ year, month, day }))
      const text = withPosts.has(date) ? `<a href="${url}" aria-label="${escapeHtml(label)}">${day}</a>` : String(day)
      rows += `<td${date === today ? ' id="today"' : ''}>${text}</td>`
    }
    const rest = (7 - ((pad + days) % 7)) % 7
    if (rest > 0) rows += `\n\t\t<td class="pad" colspan="${rest}">&nbsp;</td>`
    return `<table id="wp-calendar" class="wp-calendar-table">
\t<caption>${escapeHtml(format(from, 'F Y'))}</caption>
\t<thead>
\t<tr>
${heads.join('')}\t</tr>
\t</thead>
\t<tbody>
\t<tr>${rows}
\t</tr>
\t</tbody>
\t</table><nav aria-label="${escapeHtml(__('Previous and next months'))}" class="wp-calendar-nav">
\t\t${link(before, 'prev')}
\t\t<span class="pad">&nbsp;</span>
\t\t${link(after, 'next')}
\t</nav>`
  }

  return {
    async 'core/calendar'(attributes, _content, block) {
      const today = gmtToSite(gmtNow(), content.siteSettings().timezone).slice(0, 10)
      // The current day is marked, so the output changes tomorrow.
      tagPage('archive-type-post', 'today')
      const isNone = !(await (reader() ? hasPosts() : rememberedHasPosts('post')))
      if (isNone) {
        const note = (await texts()).__('The calendar block is hidden because there are no published posts.')
        return reader() ? `<div>${escapeHtml(note)}</div>` : ''
      }
      const { year, month } = shown(attributes, today)
      return `<div ${wrapperAttributes(block)}>${await table(year, month, today)}</div>`
    },
  }
}
