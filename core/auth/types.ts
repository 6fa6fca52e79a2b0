import type { Undo } from '../hooks/types.ts'
import type {
  CapabilityArguments,
  CapabilityName,
  GeneralCapabilityName,
  OfferedCapability,
  OfferedGeneralCapability,
} from './capability-check.ts'

/** A user of the site, without anything secret. */
export interface User {
  readonly id: number
  /** What they sign in with. */
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
  /** Without one the user cannot sign in until a password is set. */
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

/** Parts of the site add conditions of their own (`addUserCondition`). */
export interface UserQuery {
  readonly include?: readonly number[] | undefined
  readonly exclude?: readonly number[] | undefined
  readonly slugs?: readonly string[] | undefined
  readonly roles?: readonly string[] | undefined
  readonly search?: string | undefined
  /** Where `search` looks; default everywhere. Who may not list users must not find them by login or e-mail. */
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
   * Fires `profile_update` and `set_user_role`. A changed password or role ends the user's sessions, a changed password
   * revokes their application passwords too.
   * @param options.keepSession id of the session that goes on: the one in which users change their own password
   * @throws RestError as `create`, and 409 `last_administrator` if no administrator would be left
   */
  update(
    id: number,
    changes: Partial<Omit<NewUser, 'login'>>,
    options?: { readonly keepSession?: string | undefined },
  ): Promise<User>
  /**
   * Fires `delete_user` and `deleted_user`. Ends the user's sessions.
   * @param options.reassign who gets their posts, for the hooks
   * @param options.handOver reassigns their posts; runs once no callback can reject the deletion
   * @throws RestError 409 `last_administrator`
   */
  delete(
    id: number,
    options?: { readonly reassign?: number | null; readonly handOver?: () => Promise<void> },
  ): Promise<void>
  /** Resolves to the user if the password is theirs; takes the same time if there is no such user. */
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

/** Who sent a request. */
export interface Identity {
  /** `null` for a visitor. */
  readonly user: User | null
  readonly via: 'nobody' | 'session' | 'application-password'
  readonly session: Session | null
  /** Set with an application password: which one. */
  readonly applicationPassword: string | null
  /** A new nonce for a request that came with one: it replaces that (`X-WP-Nonce`). */
  readonly freshNonce: string | null
}

/** The parts of a request that identify its sender. */
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
  /** Without an id: all of the user's. Resolves to how many there were. */
  end(userId: number, id?: string): Promise<number>
  /** All of the user's but this one. Resolves to how many there were. */
  endOthers(userId: number, id: string): Promise<number>
}

/** What a recorded event is about. */
export interface SecurityEventDetails {
  /** Whose account it is about. */
  readonly user?: Pick<User, 'id' | 'login'> | null | undefined
  /** Who did it and from where, where that is not the current request's. */
  readonly client?: { readonly address: string; readonly userAgent?: string }
  /** Further facts, small and without secrets. */
  readonly detail?: Readonly<Record<string, string | number | readonly string[]>>
}

/** What a successful sign-in gives. */
export interface SignedIn {
  readonly user: User
  readonly session: Session
  /** The token that the browser stores; the database has only its hash. */
  readonly token: string
}

export interface SignIn {
  readonly login: string
  readonly password: string
  /** 14 days instead of 2. */
  readonly remember?: boolean | undefined
  readonly address: string
  readonly userAgent: string
  /** The header `Cookie`: a browser in which the user has logged in before is not held up by strangers' failures. */
  readonly cookie?: string | undefined
}

/** Who may do what, as the host alone has it. */
export interface CoreAuth {
  readonly users: Users
  readonly sessions: Sessions
  /**
   * Whether a user has a capability, as WordPress's `user_can`: meta capabilities (`edit_post`,
   * `delete_post`, `read_post`, `edit_user`, …) take the id they are about; passes through the filters
   * `map_meta_cap` and `user_has_cap`. `null` is a visitor. `edit_post_meta` and its like take the meta key too.
   */
  can<Name extends OfferedCapability>(
    user: User | null,
    capability: CapabilityName<Name>,
    ...ids: CapabilityArguments<Name>
  ): Promise<boolean>
  /**
   * As `can`, at once, for a capability that is about nothing in particular: `edit_posts`, `manage_options`. One that
   * needs an id (`edit_post`) no user has.
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
  /**
   * Signs a user in by login name or e-mail address. Fires `wp_login` or `wp_login_failed`.
   * @throws RestError 401 `incorrect_password`, 429 `rest_too_many_requests`, or what the filter `authenticate` throws
   */
  signIn(credentials: SignIn): Promise<SignedIn>
  /** Starts a session for someone known by other means, for example a single-use token. Fires `wp_login`. */
  startSession(user: User, client: Pick<SignIn, 'address' | 'userAgent' | 'remember'>): Promise<SignedIn>
  /** Ends the session. Fires `wp_logout`. */
  signOut(session: Session): Promise<void>
  /** Value of the `Set-Cookie` header that stores a session in the browser, or with `null` removes it. */
  sessionCookie(signedIn: SignedIn | null, remember?: boolean): string
  /**
   * Who sent a REST request, by WordPress's rules: a session counts only with its nonce.
   * @throws RestError `rest_cookie_invalid_nonce`, `incorrect_password`, `rest_too_many_requests`
   */
  identifyRest(credentials: Credentials): Promise<Identity>
  /** Who asks for a page: the session alone decides. Never throws. */
  identifyPage(credentials: Credentials): Promise<Identity>
  /** A token that ties an action to a user and session, good for 12 to 24 hours; REST's action is `wp_rest`. */
  createNonce(action: string, identity: Pick<Identity, 'user' | 'session'>): string
  /** 1: fresh; 2: in its second tick; `false`: not valid. Compared in constant time. */
  verifyNonce(nonce: string, action: string, identity: Pick<Identity, 'user' | 'session'>): 1 | 2 | false
}

/** Who may do what. Parts of the site add members to it by declaration merging. */
export interface Auth extends CoreAuth {}
