import { escapeHtml } from '../../../core/http/escape-html.ts'
import type { Post } from '../types.ts'
import type { ListParts } from './attachment-list.ts'
import { openingTags } from './html.ts'
import type { Shortcode, ShortcodeHandler } from './types.ts'

/** Kinds that WordPress's players know (`wp_get_audio_extensions`, `wp_get_video_extensions`), in its order. */
const AUDIO: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mpeg',
  wav: 'audio/wav',
}
const VIDEO: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  flv: 'video/x-flv',
}

/** A file that a player offers. */
interface Source {
  readonly url: string
  readonly type: string
}

/**
 * `[audio src="…" mp3="…" ogg="…" loop="on" autoplay="on" preload="auto"]` and `[video width="…" height="…" mp4="…"
 * poster="…"]` as WordPress's players (`wp_audio_shortcode`, `wp_video_shortcode`). Without a file they play the first one
 * that was uploaded to the post.
 */
export function createPlayers(parts: ListParts): { audio: ShortcodeHandler; video: ShortcodeHandler } {
  const counts = { audio: 0, video: 0 }

  async function uploaded(kind: 'audio' | 'video', post: Post): Promise<string | undefined> {
    const files = await parts.attachments.ofPost(post.id, kind)
    const shown = await parts.readable(
      files.map((file) => file.post),
      post,
    )
    return files.find((file) => shown.includes(file.post))?.details.url
  }

  /** The media to play; HTML if there is no player: a link to an unsupported file, or nothing. */
  async function find(
    kind: 'audio' | 'video',
    attributes: Shortcode['attributes'],
    post: Post,
  ): Promise<readonly Source[] | string> {
    if (parts.room.left === 0) return ''
    const types = kind === 'audio' ? AUDIO : VIDEO
    const { src } = attributes
    const isNamed = [src, ...Object.keys(types).map((extension) => attributes[extension])].some(Boolean)
    const given = isNamed ? src : await uploaded(kind, post)
    const url = given === undefined ? '' : mediaUrl(given)
    if (url !== '' && typeOf(url, types) === undefined) return link(url, ` class="wp-embedded-${kind}"`)
    const urls = [url, ...Object.keys(types).map((extension) => mediaUrl(attributes[extension] ?? ''))]
    const sources = [...new Set(urls)].flatMap((url) => {
      const type = typeOf(url, types)
      return type === undefined ? [] : [{ url, type }]
    })
    return sources.length > 0 && parts.room.take(1) > 0 ? sources : ''
  }

  const idOf = (kind: 'audio' | 'video', post: Post) => {
    counts[kind]++
    return `${kind}-${post.id}-${counts[kind]}`
  }

  return {
    async audio({ attributes }, post) {
      const sources = await find('audio', attributes, post)
      if (typeof sources === 'string') return sources
      const written = writeAttributes({
        class: attributes.class ?? 'wp-audio-shortcode',
        id: idOf('audio', post),
        loop: flag(attributes.loop),
        autoplay: flag(attributes.autoplay),
        preload: attributes.preload ?? 'none',
        style: 'width: 100%;',
      })
      return `<audio ${written} controls="controls">${sourceTags(sources)}</audio>`
    },

    async video({ attributes, content }, post) {
      const sources = await find('video', attributes, post)
      if (typeof sources === 'string') return sources
      const width = pixels(attributes.width, 640)
      const written = writeAttributes({
        class: attributes.class ?? 'wp-video-shortcode',
        id: idOf('video', post),
        width: String(width),
        height: String(pixels(attributes.height, 360)),
        poster: mediaUrl(attributes.poster ?? ''),
        loop: flag(attributes.loop),
        autoplay: flag(attributes.autoplay),
        muted: flag(attributes.muted),
        preload: attributes.preload ?? 'metadata',
      })
      const video = `<video ${written} controls="controls">${sourceTags(sources, tracks(content ?? ''))}</video>`
      return `<div style="width: ${width}px;" class="wp-video">${video}</div>`
    },
  }
}

/** The address of a file, `''` for one that is not loaded over HTTP. */
export function mediaUrl(written: string): string {
  // The block editor writes an ampersand as an entity.
  const url = written.trim().replaceAll(/&(?:amp|#0*38);/g, '&')
  const scheme = url === '' ? undefined : URL.parse(url, 'https://site.invalid/')?.protocol
  return scheme === 'http:' || scheme === 'https:' ? url : ''
}

function typeOf(url: string, types: Readonly<Record<string, string>>): string | undefined {
  const extension = /\.(\w{3,4})$/.exec(url)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(types, extension) ? types[extension] : undefined
}

const link = (url: string, attributes = '') => `<a${attributes} href="${escapeHtml(url)}">${escapeHtml(url)}</a>`

/** The files, subtitles, and a link for browsers that play none of them. */
function sourceTags(sources: readonly Source[], tracks = ''): string {
  const tags = sources.map(({ url, type }) => `<source type="${type}" src="${escapeHtml(url)}" />`)
  return (
    tags.join('') +
    tracks +
    sources
      .slice(0, 1)
      .map(({ url }) => link(url))
      .join('')
  )
}

/** Subtitles between `[video]` and `[/video]`. */
function tracks(content: string): string {
  const found = openingTags(content).filter(({ name }) => name === 'track')
  return found.map(({ start, end }) => content.slice(start, end)).join('')
}

/** WordPress's `wp_validate_boolean`: everything is true but nothing, `0` and `false`. */
function flag(value: string | undefined): string {
  return ['', '0', 'false'].includes((value ?? '').toLowerCase()) ? '' : '1'
}

function pixels(value: string | undefined, fallback: number): number {
  const number = Number.parseInt(value ?? '', 10)
  return number > 0 && number < 100_000 ? number : fallback
}

/** Attributes of a tag; WordPress leaves out those without a value. */
function writeAttributes(attributes: Readonly<Record<string, string>>): string {
  const filled = Object.entries(attributes).filter(([, value]) => value !== '')
  return filled.map(([name, value]) => `${name}="${escapeHtml(value)}"`).join(' ')
}
