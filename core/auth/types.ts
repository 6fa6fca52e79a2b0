import type { Undo } from '../hooks/types.ts'
import type {
  CapabilityArguments,
  CapabilityName,
  GeneralCapabilityName,
  OfferedCapability,
  OfferedGeneralCapability,
} from './capability-check.ts'

/** A user of the site, without secrets such as the password hash. */
export interface User {
  readonly id: number
  /** Login name. */
  readonly login: string
  readonly email: string
  /** Part of `/author/<slug>/`. */
  readonly slug: string
  readonly displayName: string
  readonly firstName: string
  readonly lastName: string
  readonly url: string
  readonly description: string
  readonly locale: string
  readonly roles: readonly string[]
  /** ISO 8601, UTC. */
  readonly registered: string
}

export interface NewUser {
  readonly login: string
  /** Without one, the user cannot log in until a password is set. */
  readonly password?: string | undefined
  readonly email?: string | undefined
  readonly slug?: string | undefined
  readonly displayName?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly url?: string | undefined
  readonly description?: string | undefined
  readonly locale?: string | undefined
  /** Default: `['subscriber']`. */
  readonly roles?: readonly string[] | undefined
}

/** Other parts of the product can add members and conditions (`addUserCondition`). */
export interface UserQuery {
  readonly include?: readonly number[] | undefined
  readonly exclude?: readonly number[] | undefined
  readonly slugs?: readonly string[] | undefined
  readonly roles?: readonly string[] | undefined
  readonly search?: string | undefined
  /** Columns to search; default: all. Exclude login and email for users who may not list users. */
  readonly searchColumns?: readonly ('login' | 'email' | 'slug' | 'displayName' | 'url')[] | undefined
  readonly orderBy?: 'id' | 'name' | 'slug' | 'email' | 'url' | 'registered' | 'include' | undefined
  readonly order?: 'asc' | 'desc' | undefined
  /** Default 10. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export interface Users {
  get(id: number): Promise<User | undefined>
  getByLogin(login: string): Promise<User | undefined>
  getByEmail(email: string): Promise<User | undefined>
  getBySlug(slug: string): Promise<User | undefined>
  getMany(ids: readonly number[]): Promise<Map<number, User>>
  query(query: UserQuery): Promise<{ items: User[]; total: number }>
  /**
   * Fires `user_register`.
   * @throws RestError `existing_user_login`, `existing_user_email`, `empty_user_login`, `user_login_too_long`,
   * `rest_user_invalid_username`, `…_email`, `…_password`, `…_role`
   */
  create(user: NewUser): Promise<User>
  /**
   * Fires `profile_update` and `set_user_role`. A changed password or role ends the user's sessions; a changed password also revokes the
   * user's application passwords.
   * @param options.keepSession id of the session to keep: the one in which users change their own password
   * @throws RestError like `create`, and 409 `last_administrator` if no administrator would remain
   */
  update(
    id: number,
    changes: Partial<Omit<NewUser, 'login'>>,
    options?: { readonly keepSession?: string | undefined },
  ): Promise<User>
  /**
   * Fires `delete_user` and `deleted_user`. Ends the user's sessions.
   * @param options.reassign id of the user who receives the posts, for the hooks
   * @param options.handOver reassigns the posts; runs once callbacks can no longer reject the deletion
   * @throws RestError 409 `last_administrator`
   */
  delete(
    id: number,
    options?: { readonly reassign?: number | null; readonly handOver?: () => Promise<void> },
  ): Promise<void>
  /** Resolves to the user if the password is correct; takes the same time if there is no such user. Does not limit attempts. */
  checkPassword(login: string, password: string): Promise<User | undefined>
}

export interface Session {
  readonly id: string
  readonly userId: number
  readonly created: string
  readonly expires: string
  readonly address: string
  readonly userAgent: string
}

/** The user of a request, and how it was authenticated. */
export interface Identity {
  /** `null` for an anonymous visitor. */
  readonly user: User | null
  readonly via: 'nobody' | 'session' | 'application-password'
  readonly session: Session | null
  /** Id of the application password, if one was used. */
  readonly applicationPassword: string | null
  /** A new nonce to replace the one of the request (`X-WP-Nonce`); `null` if it had none. */
  readonly freshNonce: string | null
}

/** The parts of a request that authenticate its user. */
export interface Credentials {
  readonly cookie?: string | undefined
  readonly authorization?: string | undefined
  /** `X-WP-Nonce` or `_wpnonce`. */
  readonly nonce?: string | undefined
  /** The client's address. */
  readonly address: string
}

export interface Sessions {
  list(userId: number): Promise<Session[]>
  /** Ends one session, or without an id all sessions of the user. Resolves to their number. */
  end(userId: number, id?: string): Promise<number>
  /** Ends all other sessions of the user. Resolves to their number. */
  endOthers(userId: number, id: string): Promise<number>
}

/** Details of a recorded security event. */
export interface SecurityEventDetails {
  /** The account concerned. */
  readonly user?: Pick<User, 'id' | 'login'> | null | undefined
  /** The client that caused it; default: that of the current request. */
  readonly client?: { readonly address: string; readonly userAgent?: string }
  /** Further facts, small and without secrets. */
  readonly detail?: Readonly<Record<string, string | number | readonly string[]>>
}

/** The result of a successful login. */
export interface SignedIn {
  readonly user: User
  readonly session: Session
  /** The token for the cookie; the database stores only its hash. */
  readonly token: string
}

/** The browser or program for which a session is started. */
export interface SessionClient {
  readonly address: string
  readonly userAgent: string
  /** 14 days instead of 2. */
  readonly remember?: boolean | undefined
}

/** Authentication and authorization of the host without other parts. */
export interface CoreAuth {
  readonly users: Users
  readonly sessions: Sessions
  /**
   * Whether a user has a capability, like WordPress's `user_can`. Meta capabilities (`edit_post`, `delete_post`, `read_post`,
   * `edit_user`, …) take the id of the object, those for meta such as `edit_post_meta` also the meta key. Applies the filters
   * `map_meta_cap` and `user_has_cap`. `null` is an anonymous visitor.
   */
  can<Name extends OfferedCapability>(
    user: User | null,
    capability: CapabilityName<Name>,
    ...ids: CapabilityArguments<Name>
  ): Promise<boolean>
  /**
   * Like `can`, but synchronous, for capabilities without an object ID: `edit_posts`, `manage_options`. Always `false` for one that needs
   * an ID (`edit_post`).
   */
  has<Name extends OfferedGeneralCapability>(user: User | null, capability: GeneralCapabilityName<Name>): boolean
  /** All primitive capabilities of the user's roles. */
  capabilities(user: User): Record<string, boolean>
  /** Adds a role, or capabilities to a role, until undone. */
  addRole<Name extends OfferedGeneralCapability>(
    role: string,
    name: string,
    capabilities: readonly GeneralCapabilityName<Name>[],
  ): Undo
  addCapabilities<Name extends OfferedGeneralCapability>(
    role: string,
    capabilities: readonly GeneralCapabilityName<Name>[],
  ): Undo
  roles(): ReadonlyMap<string, { readonly name: string; readonly capabilities: ReadonlySet<string> }>
  /** Starts a session for a user authenticated by other means, for example a single-use token. Fires `wp_login`. */
  startSession(user: User, client: SessionClient): Promise<SignedIn>
  /** Ends the session. Fires `wp_logout`. */
  signOut(session: Session): Promise<void>
  /** Value of the `Set-Cookie` header that stores a session in the browser, or with `null` removes it. */
  sessionCookie(signedIn: SignedIn | null, remember?: boolean): string
  /**
   * Identifies the user of a REST request by WordPress's rules: a session counts only together with a nonce.
   * @throws RestError `rest_cookie_invalid_nonce`, `incorrect_password`, `rest_too_many_requests`
   */
  identifyRest(credentials: Credentials): Promise<Identity>
  /** Identifies the user of a page request by the session alone. Never throws. */
  identifyPage(credentials: Credentials): Promise<Identity>
  /** Creates a token for an action, user and session, valid for 12 to 24 hours; the action of REST is `wp_rest`. */
  createNonce(action: string, identity: Pick<Identity, 'user' | 'session'>): string
  /** 1: in its first tick; 2: in its second tick; `false`: invalid. Compares in constant time. */
  verifyNonce(nonce: string, action: string, identity: Pick<Identity, 'user' | 'session'>): 1 | 2 | false
}

/** Authentication and authorization. Parts of the product add members by declaration merging. */
export interface Auth extends CoreAuth {}
