/** Attributes of blocks, in JSON, that contain ids of posts: by block, without the `core/` namespace. */
const BLOCK_IDS: Readonly<Record<string, RegExp>> = {
  image: /(?<=[{,]"id":)\d+/g,
  cover: /(?<=[{,]"id":)\d+/g,
  file: /(?<=[{,]"id":)\d+/g,
  audio: /(?<=[{,]"id":)\d+/g,
  video: /(?<=[{,]"id":)\d+/g,
  'media-text': /(?<=[{,]"mediaId":)\d+/g,
  gallery: /(?<=[{,]"ids":)\[[\d,"]*\]/g,
  block: /(?<=[{,]"ref":)\d+/g,
  navigation: /(?<=[{,]"ref":)\d+/g,
  'navigation-link': /(?<=[{,]"id":)\d+/g,
  'navigation-submenu': /(?<=[{,]"id":)\d+/g,
  'page-list': /(?<=[{,]"parentPageId":)\d+/g,
}
/** WordPress escapes angle brackets in attributes. */
const BLOCK = /(<!--\s+wp:(?:core\/)?)([a-z][\w-]*)(\s+\{[^<>]*-->)/g
const LEADS_TO_TERM = /"kind":"taxonomy"|"type":"(?:category|tag)"/

const IMAGE = /<img\b[^<>]*>/g
const IN_IMAGE = /(?<=\bdata-id=["'])\d+/g
/** Classes, and ids of elements and of `[caption]`. */
const NAMES = /(?<=["'\s](?:wp-image-|wp-att-|caption-attachment-)|\bid=["']?attachment_)\d+(?![\w./-])/g
const SHORTCODE = /\[(?:gallery|playlist)\b[^[\]<>]*\]/g
const IN_SHORTCODE = /(?<=\b(?:ids?|include|exclude)=["']?)[\d,\s]+/g
const NUMBER = /\d+/g

/**
 * Replaces ids of posts in a text: in blocks, galleries, image classes and plain links of this site.
 * @param siteUrl - URL of this site without a trailing slash.
 * @param idOf - Maps each id.
 */
export function replaceIds(text: string, siteUrl: string, idOf: (id: number) => number): string {
  const replaced = (id: string) => (/^[1-9]\d{0,9}$/.test(id) ? String(idOf(Number(id))) : id)
  const replacedAll = (ids: string) => ids.replace(NUMBER, replaced)
  const link = new RegExp(`(?<=(?:${RegExp.escape(siteUrl)}|["'])/?\\?(?:p|page_id|attachment_id)=)\\d+`, 'g')
  return text
    .replace(BLOCK, (whole, start: string, name: string, attributes: string) => {
      const ids = Object.hasOwn(BLOCK_IDS, name) ? BLOCK_IDS[name] : undefined
      if (ids === undefined || LEADS_TO_TERM.test(attributes)) return whole
      return start + name + attributes.replace(ids, replacedAll)
    })
    .replace(IMAGE, (tag) => tag.replace(IN_IMAGE, replaced))
    .replace(NAMES, replaced)
    .replace(SHORTCODE, (shortcode) => shortcode.replace(IN_SHORTCODE, replacedAll))
    .replace(link, replaced)
}

/** IDs of posts that the text references. */
export function idsInText(text: string, siteUrl: string): Set<number> {
  const ids = new Set<number>()
  replaceIds(text, siteUrl, (id) => {
    ids.add(id)
    return id
  })
  return ids
}
