import type { OembedProviders } from './types.ts'

const YOUTUBE = 'https://www.youtube.com/oembed'
const TWITTER = 'https://publish.twitter.com/oembed'
const CROWDSIGNAL = 'https://api.crowdsignal.com/oembed'
const FLICKR = 'https://www.flickr.com/services/oembed/'
const DAILYMOTION = 'https://www.dailymotion.com/services/oembed'
const KICKSTARTER = 'https://www.kickstarter.com/services/oembed'
const SOMEECARDS = 'https://www.someecards.com/v2/oembed/'
const TIKTOK = 'https://www.tiktok.com/oembed'
const AMAZON = 'https://read.amazon.com/kp/api/oembed'
const AMAZON_UK = 'https://read.amazon.co.uk/kp/api/oembed'
const AMAZON_IN = 'https://read.amazon.in/kp/api/oembed'
const AMAZON_AU = 'https://read.amazon.com.au/kp/api/oembed'
const AMAZON_CN = 'https://read.amazon.cn/kp/api/oembed'

/** URL patterns without the scheme, with the endpoint of the provider. */
const ENDPOINTS: readonly (readonly [rest: string, endpoint: string])[] = [
  [String.raw`((m|www)\.)?youtube\.com/(watch|playlist|shorts/|live/)`, YOUTUBE],
  [String.raw`youtu\.be/`, YOUTUBE],
  [String.raw`([^/]+\.)?vimeo\.com/`, 'https://vimeo.com/api/oembed.{format}'],
  [String.raw`(www\.)?dailymotion\.com/`, DAILYMOTION],
  [String.raw`dai\.ly/`, DAILYMOTION],
  [String.raw`(www\.)?flickr\.com/`, FLICKR],
  [String.raw`flic\.kr/`, FLICKR],
  [String.raw`([^/]+\.)?smugmug\.com/`, 'https://api.smugmug.com/services/oembed/'],
  [String.raw`(www\.)?scribd\.com/(doc|document)/`, 'https://www.scribd.com/services/oembed'],
  [String.raw`wordpress\.tv/`, 'https://wordpress.tv/oembed/'],
  [String.raw`([^/]+\.)?polldaddy\.com/`, CROWDSIGNAL],
  [String.raw`([^/]+\.)?crowdsignal\.net/`, CROWDSIGNAL],
  [String.raw`poll\.fm/`, CROWDSIGNAL],
  [String.raw`([^/]+\.)?survey\.fm/`, CROWDSIGNAL],
  [String.raw`(www\.)?(twitter|x)\.com/\w{1,15}(/(status(es)?|lists|timelines)/.*|/likes)?$`, TWITTER],
  [String.raw`(www\.)?(twitter|x)\.com/i/moments/`, TWITTER],
  [String.raw`(www\.)?soundcloud\.com/`, 'https://soundcloud.com/oembed'],
  [String.raw`([^/]+\.)?slideshare\.net/`, 'https://www.slideshare.net/api/oembed/2'],
  [String.raw`(open|play)\.spotify\.com/`, 'https://embed.spotify.com/oembed/'],
  [String.raw`([^/]+\.)?imgur\.com/`, 'https://api.imgur.com/oembed'],
  [String.raw`(www\.)?issuu\.com/.+/docs/.`, 'https://issuu.com/oembed_wp'],
  [String.raw`(www\.)?mixcloud\.com/`, 'https://app.mixcloud.com/oembed/'],
  [String.raw`(www\.|embed\.)?ted\.com/talks/`, 'https://www.ted.com/services/v1/oembed.{format}'],
  [String.raw`(www\.)?(animoto|video214)\.com/play/`, 'https://animoto.com/oembeds/create'],
  [String.raw`[^/]+\.tumblr\.com/`, 'https://www.tumblr.com/oembed/1.0'],
  [String.raw`(www\.)?kickstarter\.com/projects/`, KICKSTARTER],
  [String.raw`kck\.st/`, KICKSTARTER],
  [String.raw`cloudup\.com/`, 'https://cloudup.com/oembed'],
  [String.raw`(www\.)?reverbnation\.com/`, 'https://www.reverbnation.com/oembed'],
  [String.raw`videopress\.com/v/`, 'https://public-api.wordpress.com/oembed/?for={site}'],
  [String.raw`(www\.)?reddit\.com/r/[^/]+/comments/`, 'https://www.reddit.com/oembed'],
  [String.raw`(www\.)?speakerdeck\.com/`, 'https://speakerdeck.com/oembed.{format}'],
  [String.raw`(www\.)?screencast\.com/`, 'https://api.screencast.com/external/oembed'],
  [String.raw`([a-z0-9-]+\.)?amazon\.(com|com\.mx|com\.br|ca)/`, AMAZON],
  [String.raw`([a-z0-9-]+\.)?amazon\.(co\.uk|de|fr|it|es|in|nl|ru)/`, AMAZON_UK],
  [String.raw`([a-z0-9-]+\.)?amazon\.(co\.jp|com\.au)/`, AMAZON_AU],
  [String.raw`([a-z0-9-]+\.)?amazon\.cn/`, AMAZON_CN],
  [String.raw`(www\.)?(a\.co|amzn\.to)/`, AMAZON],
  [String.raw`(www\.)?amzn\.eu/`, AMAZON_UK],
  [String.raw`(www\.)?amzn\.in/`, AMAZON_IN],
  [String.raw`(www\.)?amzn\.asia/`, AMAZON_AU],
  [String.raw`(www\.)?z\.cn/`, AMAZON_CN],
  [String.raw`www\.someecards\.com/(.+-cards|usercards/viewcard)/.`, SOMEECARDS],
  [String.raw`some\.ly/.`, SOMEECARDS],
  [String.raw`(www\.)?tiktok\.com/(.*/video/|@)`, TIKTOK],
  [String.raw`([a-z]{2}|www)\.pinterest\.com(\.(au|mx))?/`, 'https://www.pinterest.com/oembed.json'],
  [String.raw`(www\.)?wolframcloud\.com/obj/.`, 'https://www.wolframcloud.com/oembed'],
  [String.raw`pca\.st/.`, 'https://pca.st/oembed.json'],
  [String.raw`((play|www)\.)?anghami\.com/`, 'https://api.anghami.com/rest/v1/oembed.view'],
  [String.raw`bsky\.app/profile/.*/post/`, 'https://embed.bsky.app/oembed'],
  [String.raw`(www\.)?canva\.com/design/.*/view`, 'https://canva.com/_oembed'],
]

/**
 * The providers that WordPress 6.8 trusts (`WP_oEmbed::__construct`), plus x.com. Patterns are anchored, and a wildcard
 * before a host name ends at the first slash, so a URL that merely contains a provider's URL does not match.
 */
export const PROVIDERS: OembedProviders = Object.fromEntries(
  ENDPOINTS.map(([rest, endpoint]) => [`^https?://${rest}`, [endpoint, true]] as const),
)
