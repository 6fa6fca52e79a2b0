import { escapeHtml } from '../../../core/http/escape-html.ts'
import { plainText } from '../../text/plain-text.ts'
import { type ListParts, listAttachments } from './attachment-list.ts'
import type { Attachment } from './attachments.ts'
import type { ShortcodeHandler } from './types.ts'

/**
 * `[playlist ids="4,5" type="video" style="dark" tracknumbers="false" artists="false"]`: audio or video attachments, those
 * uploaded to the post without ids. WordPress's list plays nothing without its script; here each track has the browser's
 * own player, so it works in feeds, with a keyboard and without scripts too.
 */
export function createPlaylist(parts: ListParts): ShortcodeHandler {
  return async ({ attributes }, post) => {
    const isOn = (name: string) => attributes[name]?.toLowerCase() !== 'false'
    const kind = (attributes.type ?? 'audio') === 'audio' ? 'audio' : 'video'
    const tracks = await listAttachments(attributes, post, kind, parts)
    if (tracks.length === 0) return ''
    const options = { kind, isNamed: isOn('tracklist'), hasArtist: isOn('artists') } as const
    const items = tracks.map((track) => item(track, options)).join('')
    const list = isOn('tracklist') && isOn('tracknumbers') ? 'ol' : 'ul'
    const style = attributes.style === 'dark' ? 'dark' : 'light'
    const classes = `wp-playlist wp-${kind}-playlist wp-playlist-${style}`
    return `<div class="${classes}"><${list} class="wp-playlist-tracks">${items}</${list}></div>\n`
  }
}

function item(
  { post, details }: Attachment,
  { kind, isNamed, hasArtist }: { kind: 'audio' | 'video'; isNamed: boolean; hasArtist: boolean },
): string {
  const title = escapeHtml(plainText(post.title))
  const artist = hasArtist && details.artist !== '' ? escapeHtml(details.artist) : ''
  const by = artist === '' ? '' : ` <span class="wp-playlist-item-artist">&mdash; ${artist}</span>`
  const length =
    details.duration === '' ? '' : ` <span class="wp-playlist-item-length">${escapeHtml(details.duration)}</span>`
  const caption = isNamed
    ? `<div class="wp-playlist-caption"><span class="wp-playlist-item-title">${title}</span>${by}${length}</div>`
    : ''
  const url = escapeHtml(details.url)
  const size = kind === 'video' && details.width > 0 ? ` width="${details.width}" height="${details.height}"` : ''
  const player = `<${kind} controls="controls" preload="none"${size} aria-label="${title}" src="${url}"><a href="${url}">${title}</a></${kind}>`
  return `<li class="wp-playlist-item">${caption}${player}</li>`
}
