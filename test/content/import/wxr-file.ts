import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../../support/site-folder.ts'

export interface ItemParts {
  readonly id: number
  readonly title?: string
  readonly type?: string
  readonly status?: string
  readonly slug?: string
  readonly guid?: string
  readonly parent?: number
  readonly content?: string
  readonly date?: string
  readonly author?: string
  readonly meta?: Readonly<Record<string, string>>
  /** Anything else below `<item>`. */
  readonly more?: string
}

const cdata = (text: string) => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

/** An item as WordPress exports it. */
export function wxrItem(item: ItemParts): string {
  const { id, title = `Item ${id}`, type = 'post', status = 'publish', slug = `item-${id}`, parent = 0 } = item
  const meta = Object.entries(item.meta ?? {}).map(
    ([key, value]) =>
      `<wp:postmeta><wp:meta_key>${cdata(key)}</wp:meta_key><wp:meta_value>${cdata(value)}</wp:meta_value></wp:postmeta>`,
  )
  return `
  <item>
    <title>${cdata(title)}</title>
    <dc:creator>${cdata(item.author ?? 'admin')}</dc:creator>
    <guid isPermaLink="false">${item.guid ?? `http://old.example/?p=${id}`}</guid>
    <content:encoded>${cdata(item.content ?? '')}</content:encoded>
    <excerpt:encoded>${cdata('')}</excerpt:encoded>
    <wp:post_id>${id}</wp:post_id>
    <wp:post_date>${item.date ?? '2026-01-02 03:04:05'}</wp:post_date>
    <wp:post_date_gmt>${item.date ?? '2026-01-02 03:04:05'}</wp:post_date_gmt>
    <wp:comment_status>open</wp:comment_status><wp:ping_status>open</wp:ping_status>
    <wp:post_name>${slug}</wp:post_name><wp:status>${status}</wp:status><wp:post_parent>${parent}</wp:post_parent>
    <wp:menu_order>0</wp:menu_order><wp:post_type>${type}</wp:post_type><wp:post_password></wp:post_password>
    <wp:is_sticky>0</wp:is_sticky>${meta.join('')}${item.more ?? ''}
  </item>`
}

export const WXR_HEAD = `<rss version="2.0" xmlns:wp="http://wordpress.org/export/1.2/"><channel>
  <title>Old site</title><link>http://old.example</link><description>Of old</description><language>de-DE</language>
  <wp:wxr_version>1.2</wp:wxr_version>
  <wp:base_site_url>http://old.example</wp:base_site_url><wp:base_blog_url>http://old.example</wp:base_blog_url>`
export const WXR_END = '\n</channel></rss>\n'

/** Writes an export of these elements; answers its path. */
export function wxrFile(
  elements: readonly string[],
  head = `<?xml version="1.0" encoding="UTF-8" ?>\n${WXR_HEAD}`,
): string {
  return textFile(head + elements.join('') + WXR_END)
}

export function textFile(text: string | Buffer): string {
  const file = join(temporaryFolder(), 'export.xml')
  writeFileSync(file, text)
  return file
}
