import { escapeHtml } from '../../../core/http/escape-html.ts'
import { isSet, textAttribute } from '../../content/blocks/attributes.ts'
import { stylesOf } from '../../content/blocks/styles.ts'
import { wrapperAttributes } from '../../content/blocks/supports.ts'
import { type BlockRenderers, safeUrl } from './parts.ts'

/** Names of the services. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ fivehundredpx: '500px', amazon: 'Amazon', bandcamp: 'Bandcamp', behance: 'Behance', chain: 'Link' },
  ...{ codepen: 'CodePen', deviantart: 'DeviantArt', dribbble: 'Dribbble', dropbox: 'Dropbox', etsy: 'Etsy' },
  ...{ facebook: 'Facebook', feed: 'RSS Feed', flickr: 'Flickr', foursquare: 'Foursquare', goodreads: 'Goodreads' },
  ...{ google: 'Google', github: 'GitHub', instagram: 'Instagram', lastfm: 'Last.fm', linkedin: 'LinkedIn' },
  ...{ mail: 'Mail', mastodon: 'Mastodon', meetup: 'Meetup', medium: 'Medium', patreon: 'Patreon' },
  ...{ pinterest: 'Pinterest', pocket: 'Pocket', reddit: 'Reddit', skype: 'Skype', snapchat: 'Snapchat' },
  ...{ soundcloud: 'Soundcloud', spotify: 'Spotify', telegram: 'Telegram', tiktok: 'TikTok', tumblr: 'Tumblr' },
  ...{ twitch: 'Twitch', twitter: 'Twitter', vimeo: 'Vimeo', vk: 'VK', wordpress: 'WordPress' },
  ...{ whatsapp: 'WhatsApp', yelp: 'Yelp', youtube: 'YouTube' },
}

/** Own artwork, because logos are trademarks: the first two letters of the name in a circle. */
const DRAWN: Readonly<Record<string, string>> = {
  mail: '<path d="M4 6h16v12H4zM4 7l8 6 8-6" fill="none" stroke="currentColor" stroke-width="2"/>',
  feed: '<path d="M5 5a14 14 0 0 1 14 14M5 11a8 8 0 0 1 8 8" fill="none" stroke="currentColor" stroke-width="2.5"/><circle cx="6.5" cy="17.5" r="2"/>',
  chain:
    '<path d="M10 8H8a4 4 0 0 0 0 8h2m4-8h2a4 4 0 0 1 0 8h-2m-5-4h6" fill="none" stroke="currentColor" stroke-width="2"/>',
  share:
    '<path d="M7 12l9-5m-9 5l9 5" fill="none" stroke="currentColor" stroke-width="1.5"/><circle cx="6" cy="12" r="2.5"/><circle cx="17" cy="6.5" r="2.5"/><circle cx="17" cy="17.5" r="2.5"/>',
}

function icon(service: string): string {
  const name = Object.hasOwn(NAMES, service) ? NAMES[service] : undefined
  const kind = name === undefined ? 'share' : service
  const letters = escapeHtml([...(name ?? '')].slice(0, 2).join(''))
  const drawn = Object.hasOwn(DRAWN, kind)
    ? DRAWN[kind]
    : `<circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" stroke-width="1.5"/><text x="12" y="15.5" font-size="10" font-weight="bold" text-anchor="middle" font-family="sans-serif">${letters}</text>`
  return `<svg width="24" height="24" viewBox="0 0 24 24" version="1.1" xmlns="http://www.w3.org/2000/svg" aria-hidden="true" focusable="false">${drawn}</svg>`
}

/** `core/social-link`, within `core/social-links`. */
export const socialLinks: BlockRenderers = {
  'core/social-link'(attributes, _content, block) {
    const { context } = block
    const service = textAttribute(attributes, 'service')
    const url = addressOf(textAttribute(attributes, 'url'))
    if (url === '') return ''
    const name = Object.hasOwn(NAMES, service) ? NAMES[service] : 'Share Icon'
    const label = escapeHtml(textAttribute(attributes, 'label') || (name ?? ''))
    const relation = isSet(context, 'openInNewTab') ? ' rel="noopener nofollow" target="_blank"' : ''
    const wrapper = wrapperAttributes(block, {
      class: `wp-social-link wp-social-link-${service.replace(/[^\w-]/g, '') || 'Icon'}`,
      style: stylesOf({ color: context.iconColorValue, 'background-color': context.iconBackgroundColorValue }),
    })
    const hidden = isSet(context, 'showLabels') ? '' : ' screen-reader-text'
    const text = `<span class="wp-block-social-link-label${hidden}">${label}</span>`
    return `<li ${wrapper}><a href="${url}"${relation} class="wp-block-social-link-anchor">${icon(service)}${text}</a></li>`
  },
}

/** The URL that was entered: an email address, or a URL that may lack its scheme. */
function addressOf(typed: string): string {
  const given = typed.trim()
  if (given === '') return ''
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(given)) return safeUrl(`mailto:${given}`)
  return safeUrl(/^[a-z][a-z0-9+.-]*:|^\/\//i.test(given) ? given : `https://${given}`)
}
