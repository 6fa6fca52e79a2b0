import type { Comment, NewComment } from 'pentad'
import type { SpamCheckSettings } from './settings.ts'

/** Milliseconds that a visitor waits for the server at most. */
const TIME_LIMIT = 5_000

type Call = 'comment-check' | 'submit-spam' | 'submit-ham'

export interface SpamService {
  /** @throws Error if the server cannot be reached, or rejects the key */
  isSpam(comment: NewComment): Promise<boolean>
  /** Reports a wrong decision. @throws Error as `isSpam` */
  report(comment: Comment, verdict: 'spam' | 'ham'): Promise<void>
  /** @throws Error as `isSpam` */
  verifyKey(): Promise<void>
}

/** A client of Akismet's API 1.1. @param siteUrl without a trailing slash */
export function createSpamService(
  fetchUrl: typeof fetch,
  settings: () => SpamCheckSettings,
  siteUrl: string,
): SpamService {
  async function send(path: Call | 'verify-key', fields: Readonly<Record<string, string>>): Promise<string> {
    const { serverUrl, apiKey } = settings()
    const response = await fetchUrl(new URL(`/1.1/${path}`, serverUrl), {
      method: 'POST',
      body: new URLSearchParams({ api_key: apiKey, key: apiKey, blog: siteUrl, ...fields }),
      signal: AbortSignal.timeout(TIME_LIMIT),
    })
    const text = (await response.text()).trim()
    if (!response.ok || text === 'invalid') {
      const help = response.headers.get('X-akismet-debug-help') ?? 'Check the API key.'
      throw new Error(`The spam check server responded with status ${response.status}. ${help}`)
    }
    return text
  }

  const fieldsOf = (comment: NewComment) => ({
    comment_type: comment.type || 'comment',
    comment_author: comment.authorName,
    comment_author_email: comment.authorEmail,
    comment_author_url: comment.authorUrl,
    comment_content: comment.content,
    user_ip: comment.authorAddress,
    user_agent: comment.userAgent,
    blog_charset: 'UTF-8',
  })

  return {
    isSpam: async (comment) => (await send('comment-check', fieldsOf(comment))) === 'true',
    async report(comment, verdict) {
      await send(`submit-${verdict}`, fieldsOf(comment))
    },
    async verifyKey() {
      await send('verify-key', {})
    },
  }
}
