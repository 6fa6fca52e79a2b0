/**
 * Purpose of a crawler: to collect training data, to build a search index, or to fetch a page for a user of an
 * assistant.
 */
export const PURPOSES = ['training', 'search', 'user'] as const
export type Purpose = (typeof PURPOSES)[number]

/** A crawler of an AI service, and how its requests are verified. */
export interface KnownCrawler {
  /** Name in `User-Agent`. */
  readonly name: string
  readonly vendor: string
  readonly purpose: Purpose
  /** URL where the operator publishes its IP addresses. */
  readonly addressList?: string
  /** Domains of its reverse DNS names. */
  readonly hostNames?: readonly string[]
  /** Domains whose keys sign its requests (Web Bot Auth), including subdomains; omitted if third parties host there. */
  readonly signers?: readonly string[]
}

interface Operator extends Pick<KnownCrawler, 'vendor' | 'hostNames' | 'signers'> {
  readonly crawlers: readonly (readonly [name: string, purpose: Purpose, addressList?: string])[]
}

const GOOGLE_LISTS = 'https://developers.google.com/static/crawling/ipranges'

/**
 * From the documentation of the operators, September 2026. `Google-Extended` and `Applebot-Extended` exist only in
 * `robots.txt` and never send requests.
 */
const OPERATORS: readonly Operator[] = [
  {
    vendor: 'OpenAI',
    signers: ['openai.com', 'chatgpt.com'],
    crawlers: [
      ['GPTBot', 'training', 'https://openai.com/gptbot.json'],
      ['OAI-SearchBot', 'search', 'https://openai.com/searchbot.json'],
      ['ChatGPT-User', 'user', 'https://openai.com/chatgpt-user.json'],
      ['OAI-AdsBot', 'search', 'https://openai.com/adsbot.json'],
    ],
  },
  {
    vendor: 'Anthropic',
    signers: ['anthropic.com', 'claude.com', 'claude.ai'],
    crawlers: [
      ['ClaudeBot', 'training', 'https://claude.com/crawling/bots.json'],
      ['Claude-SearchBot', 'search', 'https://claude.com/crawling/bots.json'],
      ['Claude-User', 'user', 'https://claude.com/crawling/bots.json'],
      ['anthropic-ai', 'training', 'https://claude.com/crawling/bots.json'],
      ['claude-web', 'user', 'https://claude.com/crawling/bots.json'],
    ],
  },
  {
    vendor: 'Perplexity',
    signers: ['perplexity.ai', 'perplexity.com'],
    crawlers: [
      ['PerplexityBot', 'search', 'https://www.perplexity.com/perplexitybot.json'],
      ['Perplexity-User', 'user', 'https://www.perplexity.com/perplexity-user.json'],
    ],
  },
  {
    vendor: 'Google',
    // Not googleusercontent.com, which also names the machines of customers.
    hostNames: ['googlebot.com', 'google.com'],
    signers: ['google.com', 'bot.goog'],
    crawlers: [
      ['Googlebot', 'search', `${GOOGLE_LISTS}/common-crawlers.json`],
      ['GoogleOther', 'training', `${GOOGLE_LISTS}/common-crawlers.json`],
      ['Google-CloudVertexBot', 'search', `${GOOGLE_LISTS}/common-crawlers.json`],
      ['Google-NotebookLM', 'user', `${GOOGLE_LISTS}/user-triggered-fetchers-google.json`],
      ['Gemini-Deep-Research', 'user', `${GOOGLE_LISTS}/user-triggered-fetchers-google.json`],
      ['Google-Agent', 'user', `${GOOGLE_LISTS}/user-triggered-agents.json`],
    ],
  },
  {
    vendor: 'Microsoft',
    hostNames: ['search.msn.com'],
    crawlers: [['bingbot', 'search', 'https://www.bing.com/toolbox/bingbot.json']],
  },
  {
    vendor: 'Apple',
    hostNames: ['applebot.apple.com'],
    crawlers: [['Applebot', 'search', 'https://search.developer.apple.com/applebot.json']],
  },
  {
    vendor: 'Common Crawl',
    hostNames: ['crawl.commoncrawl.org'],
    crawlers: [['CCBot', 'training', 'https://index.commoncrawl.org/ccbot.json']],
  },
  {
    vendor: 'DuckDuckGo',
    crawlers: [['DuckAssistBot', 'search', 'https://duckduckgo.com/duckassistbot.json']],
  },
  {
    vendor: 'Mistral AI',
    signers: ['mistral.ai'],
    crawlers: [
      ['MistralAI-Index', 'search', 'https://mistral.ai/mistralai-index-ips.json'],
      ['MistralAI-User', 'user', 'https://mistral.ai/mistralai-user-ips.json'],
    ],
  },
  {
    vendor: 'Amazon',
    hostNames: ['crawl.amazonbot.amazon'],
    signers: ['amazon.com'],
    crawlers: [
      ['Amazonbot', 'training'],
      ['Amzn-SearchBot', 'search'],
      ['Amzn-User', 'user'],
      ['bedrockbot', 'user'],
    ],
  },
  {
    vendor: 'Meta',
    crawlers: [
      ['meta-externalagent', 'training'],
      ['meta-webindexer', 'search'],
      ['meta-externalfetcher', 'user'],
      ['FacebookBot', 'training'],
    ],
  },
  {
    vendor: 'ByteDance',
    crawlers: [
      ['Bytespider', 'training'],
      ['TikTokSpider', 'search'],
    ],
  },
  {
    vendor: 'Cohere',
    crawlers: [
      ['cohere-training-data-crawler', 'training'],
      ['cohere-ai', 'user'],
    ],
  },
  {
    vendor: 'Huawei',
    crawlers: [
      ['PetalBot', 'search'],
      ['PanguBot', 'training'],
    ],
  },
  {
    vendor: 'Webz.io',
    crawlers: [
      ['Omgilibot', 'training'],
      ['Webzio-Extended', 'training'],
    ],
  },
  { vendor: 'DeepSeek', crawlers: [['DeepSeekBot', 'training']] },
  { vendor: 'Moonshot AI', crawlers: [['Kimi-User', 'user']] },
  { vendor: 'Manus', signers: ['manus.im'], crawlers: [['Manus-User', 'user']] },
  { vendor: 'Ai2', crawlers: [['AI2Bot', 'training']] },
  { vendor: 'Diffbot', crawlers: [['Diffbot', 'training']] },
  { vendor: 'Timpi', crawlers: [['Timpibot', 'training']] },
  { vendor: 'Hive', crawlers: [['ImagesiftBot', 'training']] },
  { vendor: 'You.com', crawlers: [['YouBot', 'search']] },
  { vendor: 'Exa', crawlers: [['ExaSearchBot', 'search']] },
  { vendor: 'Tavily', crawlers: [['TavilyBot', 'search']] },
  { vendor: 'Liner', crawlers: [['LinerBot', 'user']] },
  { vendor: 'Kagi', crawlers: [['kagi-fetcher', 'user']] },
  { vendor: 'Cloudflare', crawlers: [['Cloudflare-AutoRAG', 'search']] },
]

/** Assistants with the `User-Agent` of a browser, which identify themselves only by their signature. */
const SIGNING_ASSISTANTS: readonly KnownCrawler[] = [
  { name: 'ChatGPT agent', vendor: 'OpenAI', purpose: 'user', signers: ['chatgpt.com'] },
  { name: 'Manus agent', vendor: 'Manus', purpose: 'user', signers: ['manus.im'] },
]

/** Every crawler with a name in `User-Agent`, which also matches that name in `robots.txt`. */
export const NAMED: readonly KnownCrawler[] = OPERATORS.flatMap(({ crawlers, ...operator }) =>
  crawlers.map(([name, purpose, addressList]) => ({ ...operator, name, purpose, ...(addressList && { addressList }) })),
)

const byName = new Map([...NAMED, ...SIGNING_ASSISTANTS].map((crawler) => [crawler.name.toLowerCase(), crawler]))

/** Every IP list used to verify crawlers. */
export const ADDRESS_LISTS: readonly string[] = [...new Set(NAMED.flatMap(({ addressList }) => addressList ?? []))]

/** Finds a crawler by name, ignoring case. */
export function crawlerNamed(name: string): KnownCrawler | undefined {
  return byName.get(name.toLowerCase())
}

/** Longest first: `Claude-SearchBot` is not `Claude`. A name is a whole word and not part of a URL. */
const TOKENS = new RegExp(
  `(?<![\\w./-])(?:${NAMED.map(({ name }) => name)
    .sort((one, other) => other.length - one.length)
    .join('|')})(?![\\w-])`,
  'i',
)

/** Maximum length of `User-Agent` that is searched. */
const LONGEST_USER_AGENT = 1000

/** The first crawler named in a `User-Agent`. Not proof: anyone can send it. */
export function crawlerIn(userAgent: string): KnownCrawler | undefined {
  const [name] = TOKENS.exec(userAgent.slice(0, LONGEST_USER_AGENT)) ?? []
  return name === undefined ? undefined : crawlerNamed(name)
}

/** The assistant that signs as a host and has no name of its own in `User-Agent`. */
export function assistantSigningAs(host: string): KnownCrawler | undefined {
  return SIGNING_ASSISTANTS.find((assistant) => isSigner(assistant, host))
}

/** Whether the keys of a host may sign for the crawler. */
export function isSigner({ signers = [] }: KnownCrawler, host: string): boolean {
  return isWithin(host, signers)
}

/** Whether a host name is one of the domains or a subdomain. */
export function isWithin(host: string, domains: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return domains.some((domain) => name === domain || name.endsWith(`.${domain}`))
}
