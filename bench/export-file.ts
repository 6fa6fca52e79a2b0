import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { randomsOf } from '../test/support/randoms.ts'

const CATEGORIES = 30
const TAGS = 300
const WORDS = 'anchor bridge candle desert engine forest garden harbor island jungle kernel lantern'.split(' ')
const SITE = 'https://old.example'

/**
 * Writes a WordPress export (WXR 1.2) with a number of posts, each of 250 words in five paragraphs, with a category, three tags, a link to an earlier post,
 * two meta fields and a comment. Every hundredth is a page.
 * @param path of the file, which is written one post at a time
 */
export async function writeExport(path: string, posts: number): Promise<void> {
  const file = createWriteStream(path)
  const random = randomsOf('export')
  const upTo = (most: number) => Math.floor(random() * most)
  const write = async (text: string) => {
    if (!file.write(text)) await once(file, 'drain')
  }
  await write(head())
  for (let number = 0; number < posts; number++) await write(item(number, upTo))
  file.end('</channel></rss>\n')
  await finished(file)
}

function head(): string {
  const terms = [
    ...Array.from({ length: CATEGORIES }, (_, at) => {
      const name = `<wp:category_nicename>category-${at}</wp:category_nicename><wp:cat_name>Category ${at}</wp:cat_name>`
      return `<wp:category><wp:term_id>${at + 2}</wp:term_id>${name}</wp:category>`
    }),
    ...Array.from({ length: TAGS }, (_, at) => {
      const name = `<wp:tag_slug>tag-${at}</wp:tag_slug><wp:tag_name>Tag ${at}</wp:tag_name>`
      return `<wp:tag><wp:term_id>${at + 2 + CATEGORIES}</wp:term_id>${name}</wp:tag>`
    }),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>Old site</title><link>${SITE}</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>${SITE}</wp:base_site_url><wp:base_blog_url>${SITE}</wp:base_blog_url>
<wp:author><wp:author_id>1</wp:author_id><wp:author_login>editor</wp:author_login><wp:author_email>editor@old.example</wp:author_email><wp:author_display_name>Editor</wp:author_display_name></wp:author>
${terms.join('\n')}
`
}

function item(number: number, upTo: (most: number) => number): string {
  const id = number + 10
  const date = momentOf(number)
  const paragraphs = Array.from({ length: 5 }, () => {
    const words = Array.from({ length: 50 }, () => (upTo(10) > 0 ? WORDS[upTo(WORDS.length)] : `word${upTo(20_000)}q`))
    return `<!-- wp:paragraph --><p>${words.join(' ')}.</p><!-- /wp:paragraph -->`
  })
  const link = `<p>See <a href="${SITE}/post-${upTo(number + 1)}/">an earlier post</a>.</p>`
  const term = (domain: string, nicename: string, name: string) =>
    `<category domain="${domain}" nicename="${nicename}"><![CDATA[${name}]]></category>`
  const tag = () => {
    const at = upTo(TAGS)
    return term('post_tag', `tag-${at}`, `Tag ${at}`)
  }
  const category = upTo(CATEGORIES)
  const meta = (key: string, value: string) =>
    `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`
  return `<item><title>Post ${number} about the ${WORDS[number % WORDS.length]}</title><link>${SITE}/post-${number}/</link>
<dc:creator>editor</dc:creator><guid isPermaLink="false">${SITE}/?p=${id}</guid>
<content:encoded><![CDATA[${paragraphs.join('\n\n')}\n${link}]]></content:encoded><excerpt:encoded></excerpt:encoded>
<wp:post_id>${id}</wp:post_id><wp:post_date>${date}</wp:post_date><wp:post_date_gmt>${date}</wp:post_date_gmt>
<wp:post_modified>${date}</wp:post_modified><wp:post_modified_gmt>${date}</wp:post_modified_gmt>
<wp:comment_status>open</wp:comment_status><wp:ping_status>open</wp:ping_status><wp:post_name>post-${number}</wp:post_name>
<wp:status>publish</wp:status><wp:post_parent>0</wp:post_parent><wp:menu_order>0</wp:menu_order>
<wp:post_type>${number % 100 === 99 ? 'page' : 'post'}</wp:post_type><wp:post_password></wp:post_password><wp:is_sticky>0</wp:is_sticky>
${term('category', `category-${category}`, `Category ${category}`)}${tag()}${tag()}${tag()}
${meta('_edit_last', '1')}${meta('subtitle', `Subtitle ${number}`)}
<wp:comment><wp:comment_id>${number + 1}</wp:comment_id><wp:comment_author>Reader ${number % 500}</wp:comment_author><wp:comment_author_email>reader${number % 500}@old.example</wp:comment_author_email>
<wp:comment_date>${date}</wp:comment_date><wp:comment_date_gmt>${date}</wp:comment_date_gmt><wp:comment_content><![CDATA[Comment ${number}.]]></wp:comment_content>
<wp:comment_approved>1</wp:comment_approved><wp:comment_type>comment</wp:comment_type><wp:comment_parent>0</wp:comment_parent><wp:comment_user_id>0</wp:comment_user_id></wp:comment>
</item>
`
}

/** An hour apart. */
function momentOf(number: number): string {
  return new Date(Date.UTC(2012, 0, 1) + number * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}
