import type Koa from 'koa'
import type { Auth, User } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { queryOf } from '../../core/http/request.ts'
import type { FixedAddresses } from '../../core/http/router.ts'
import { namedUser } from '../accounts/named-user.ts'
import type { PasswordLinks } from '../accounts/password-links.ts'
import { isOwnForm, readForm } from '../http/request-form.ts'
import type { Jobs } from '../jobs/types.ts'
import { createRateLimit } from '../rate-limits/rate-limit.ts'
import type { RateLimitStore } from '../rate-limits/types.ts'
import { errorText } from '../text/error-text.ts'
import type { PageTexts } from '../text/translations.ts'
import type { ReadLook } from './pages.ts'
import { linkSentPage, lostPasswordPage, newPasswordPage } from './password-pages.ts'
import { redirect, respond } from './response.ts'

const LOGIN = '/wp-login.php'
/** WordPress's names: the form, also by its former name, and the form behind the link. */
const LOST_PASSWORD = ['lostpassword', 'retrievepassword']
const NEW_PASSWORD = ['rp', 'resetpass']
/** Milliseconds before a user is sent another link, so that visitors cannot fill a mailbox. */
const COOLDOWN = 10 * 60 * 1000
/** Longest username or email address that is shown again. */
const LOGIN_LENGTH = 254

interface Parts {
  readonly passwordLinks: PasswordLinks
  readonly auth: Pick<Auth, 'users' | 'sessions' | 'securityLog'>
  readonly hooks: Hooks
  readonly jobs: Jobs
  readonly config: { readonly url: string }
  readonly rateLimitStore: RateLimitStore
  readonly look: ReadLook
}

/** What is wrong with a form, as HTML in the language of its page. */
type Describe = (texts: PageTexts) => string

interface LinkRequest {
  readonly user: User
  readonly address: string
}

/** The pages with which users reset forgotten passwords: the `lostpassword` and `rp` actions of `/wp-login.php`. */
export function registerPasswordReset(addresses: FixedAddresses, parts: Parts): void {
  const { passwordLinks, auth, hooks, jobs, config, look, rateLimitStore } = parts
  const limit = createRateLimit({
    points: 10,
    seconds: 15 * 60,
    message: 'Too many requests. Please wait before you try again.',
    shared: { name: 'password-reset', store: rateLimitStore },
  })
  // In the background: the time until the response does not reveal whether there is such an account.
  const { queue } = jobs.createQueue<LinkRequest>({
    name: 'password links',
    timeout: 40_000,
    async work({ user, address }) {
      const last = await passwordLinks.lastSent(user)
      if (user.email === '' || (last !== undefined && Date.now() - last < COOLDOWN)) return
      await passwordLinks.send(user, 'reset', address).catch((error: unknown) => {
        if (!(error instanceof RestError && error.code === 'no_password_reset')) throw error
      })
    },
  })

  const lostForm = async (context: Koa.Context, status: number, login: string, describe?: Describe) => {
    const site = await look()
    respond(
      context,
      status,
      lostPasswordPage({ site, login: login.slice(0, LOGIN_LENGTH), error: describe?.(site.texts) }),
    )
  }

  async function requestLink(context: Koa.Context): Promise<void> {
    const login = (await readForm(context.req)).get('user_login')?.trim() ?? ''
    if (!isOwnForm(context.req, config.url)) return lostForm(context, 403, login, otherSite)
    if (login === '') {
      return lostForm(context, 200, login, ({ esc_html__ }) =>
        esc_html__('Please enter your username or email address.'),
      )
    }
    const address: string = context.state.clientAddress
    try {
      await limit.consume(address)
      const user = (await namedUser(auth.users, login)) ?? null
      await hooks.doActionAsync('lostpassword_post', login, user)
      const client = { address, userAgent: context.get('User-Agent') }
      await auth.securityLog.record('password_link_requested', { user, client })
      if (user) queue.push({ user, address })
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      context.set({ ...error.headers })
      return lostForm(context, error.status, login, (texts) => errorText(texts, error))
    }
    redirect(context, `${LOGIN}?action=lostpassword&checkemail=confirm`)
  }

  /** The form behind a link. @throws RestError as `passwordLinks.check` */
  async function newPasswordForm(
    context: Koa.Context,
    status: number,
    { describe, ...form }: { readonly key: string; readonly login: string; readonly describe?: Describe },
  ): Promise<void> {
    const user = await passwordLinks.check(form.key, form.login)
    const hasSessions = (await auth.sessions.list(user.id)).length > 0
    const site = await look(user)
    const error = describe?.(site.texts)
    respond(context, status, newPasswordPage({ ...form, site, login: user.login, hasSessions, error }))
  }

  async function showNewPassword(context: Koa.Context): Promise<void> {
    const query = queryOf(context)
    await newPasswordForm(context, 200, { key: query.get('key') ?? '', login: query.get('login') ?? '' })
  }

  async function savePassword(context: Koa.Context): Promise<void> {
    const fields = await readForm(context.req)
    const [key, login] = [fields.get('rp_key') ?? '', fields.get('rp_login') ?? '']
    const password = fields.get('pass1') ?? ''
    const again = (status: number, describe: Describe) => newPasswordForm(context, status, { key, login, describe })
    if (!isOwnForm(context.req, config.url)) return again(403, otherSite)
    if (password !== fields.get('pass2')) {
      return again(200, ({ esc_html__ }) => esc_html__('The passwords do not match.'))
    }
    try {
      await passwordLinks.reset(key, login, password)
    } catch (error) {
      if (!(error instanceof RestError) || isUnusable(error)) throw error
      return again(error.status === 400 ? 200 : error.status, (texts) => errorText(texts, error))
    }
    redirect(context, `${LOGIN}?password=changed`)
  }

  /** If the link was used, replaced, or has expired, offers to request another one. */
  async function orAnotherLink(context: Koa.Context, answer: Promise<void>): Promise<void> {
    try {
      await answer
    } catch (error) {
      if (!(error instanceof RestError && isUnusable(error))) throw error
      await lostForm(
        context,
        400,
        '',
        (texts) => `${errorText(texts, error)} ${texts.esc_html__('Request a new one below.')}`,
      )
    }
  }

  async function showSent(context: Koa.Context): Promise<void> {
    respond(context, 200, linkSentPage({ site: await look() }))
  }

  addresses.get(LOGIN, (context, next) => {
    const query = queryOf(context)
    const action = query.get('action') ?? ''
    if (NEW_PASSWORD.includes(action)) return orAnotherLink(context, showNewPassword(context))
    if (!LOST_PASSWORD.includes(action)) return next()
    if (query.get('checkemail') !== 'confirm') return lostForm(context, 200, '')
    return showSent(context)
  })
  addresses.post(LOGIN, (context, next) => {
    const action = queryOf(context).get('action') ?? ''
    if (NEW_PASSWORD.includes(action)) return orAnotherLink(context, savePassword(context))
    return LOST_PASSWORD.includes(action) ? requestLink(context) : next()
  })
}

function isUnusable({ code }: RestError): boolean {
  return code === 'invalid_key' || code === 'expired_key'
}

function otherSite({ esc_html__ }: PageTexts): string {
  return esc_html__('This form was submitted from another site. Please submit it here.')
}
