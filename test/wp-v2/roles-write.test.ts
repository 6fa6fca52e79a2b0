import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type As, useOwnSite } from './own-site.ts'

/** What a real WordPress answered a role, operation by operation: a status and the code of a refusal. */
const RECORDED: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../fixtures/roles-golden.json'), 'utf8'),
)

const ROLES = ['visitor', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const

/** One answer for each of the roles, in their order; 401 instead of 403 for who is not signed in. */
type Row = readonly [
  visitor: string,
  subscriber: string,
  contributor: string,
  author: string,
  editor: string,
  administrator: string,
]

const from = (role: (typeof ROLES)[number], answer: string, code: string): Row => {
  const at = ROLES.indexOf(role)
  const one = (index: number) => (index >= at ? answer : `${index === 0 ? 401 : 403} ${code}`)
  return [one(0), one(1), one(2), one(3), one(4), one(5)]
}
const signedIn = (answer: string, visitor: string): Row => [visitor, answer, answer, answer, answer, answer]

/**
 * The matrix by WordPress's rules (`map_meta_cap`, its REST controllers). The rows that were recorded are compared
 * with the recording, too.
 */
const MATRIX: Readonly<Record<string, Row>> = {
  'create categories': from('editor', '201', 'rest_cannot_create'),
  'edit categories': from('editor', '200', 'rest_cannot_update'),
  'delete categories': from('editor', '200', 'rest_cannot_delete'),
  'create tags': from('contributor', '201', 'rest_cannot_create'),
  'edit tags': from('editor', '200', 'rest_cannot_update'),
  'delete tags': from('editor', '200', 'rest_cannot_delete'),
  comment: signedIn('201', '401 rest_comment_login_required'),
  "edit other's comment": from('editor', '200', 'rest_cannot_edit'),
  "delete other's comment": from('editor', '200', 'rest_cannot_delete'),
  'edit own comment': from('editor', '200', 'rest_cannot_edit'),
  'delete own comment': from('editor', '200', 'rest_cannot_delete'),
  'edit a comment on own post': from('author', '200', 'rest_cannot_edit'),
  'approve a comment on own post': from('author', '200', 'rest_cannot_edit'),
  'delete a comment on own post': from('author', '200', 'rest_cannot_delete'),
  'comment in the name of another': [
    '401 rest_comment_login_required',
    '403 rest_comment_invalid_author',
    '403 rest_comment_invalid_author',
    '403 rest_comment_invalid_author',
    '201',
    '201',
  ],
  'create user': from('administrator', '201', 'rest_cannot_create_user'),
  'edit another user': from('administrator', '200', 'rest_cannot_edit'),
  'delete another user': from('administrator', '200', 'rest_user_cannot_delete'),
  // WordPress looks at the body first and says rest_cannot_edit_roles; here permission comes before input.
  'promote another user': from('administrator', '200', 'rest_cannot_edit'),
  'edit self': signedIn('200', '401 rest_not_logged_in'),
  'own application passwords': signedIn('200', '401 rest_not_logged_in'),
  'own application password, create': signedIn('201', '401 rest_not_logged_in'),
  "another's application passwords": from('administrator', '200', 'rest_cannot_list_application_passwords'),
  "another's application password, create": from('administrator', '201', 'rest_cannot_create_application_passwords'),
  'settings read': from('administrator', '200', 'rest_forbidden'),
  'settings write': from('administrator', '200', 'rest_forbidden'),
  plugins: from('administrator', '200', 'rest_cannot_view_plugins'),
  'switch a plugin': from('administrator', '200', 'rest_cannot_manage_plugins'),
}

describe('who may write terms, comments, users, settings and plugins', () => {
  const site = useOwnSite()
  let otherPost: number
  let other: number
  let made = 0
  /** Browsers whose sessions are confirmed: application passwords may not make application passwords. */
  const as = new Map<string, As>()
  const idOf = new Map<string, number>([['visitor', 0]])
  const ownPost = new Map<string, number>()

  before(async () => {
    const { auth, content, hooks } = site.host
    hooks.addFilter('comment_flood_filter', () => false)
    for (const role of ROLES.slice(1)) {
      await site.signIn(`the-${role}`, role)
      as.set(role, await site.browser(`the-${role}`))
      idOf.set(role, await site.idOf(`the-${role}`))
    }
    other = (await auth.users.create({ login: 'somebody', email: 's@example.org', roles: ['author'] })).id
    const post = { status: 'publish', title: 'A post' }
    otherPost = (await content.posts.insert({ ...post, authorId: other })).id
    for (const role of ROLES) {
      ownPost.set(role, (await content.posts.insert({ ...post, authorId: idOf.get(role) ?? 0 })).id)
    }
  })

  async function term(taxonomy: string): Promise<number> {
    return (await site.host.content.terms.insert(taxonomy, { name: `Term ${++made}` })).id
  }

  async function comment(postId: number, userId: number): Promise<number> {
    const stored = await site.host.content.comments.insert({
      ...{ postId, userId, parentId: 0, authorName: 'Someone', authorEmail: 'x@example.org', authorUrl: '' },
      ...{ authorAddress: '', userAgent: '', content: `Words ${++made}`, status: 'hold', type: 'comment' },
      ...{ date: '', dateGmt: '' },
    })
    return stored.id
  }

  async function user(): Promise<number> {
    const login = `new-${++made}`
    const email = `${login}@example.org`
    return (await site.host.auth.users.create({ login, email, roles: ['subscriber'] })).id
  }

  type Attempt = [route: string, body?: object | undefined]
  const onComment = async (
    role: string,
    own: 'other' | 'comment' | 'post',
    method: 'POST' | 'DELETE',
    body?: object,
  ) => {
    const postId = own === 'post' ? (ownPost.get(role) ?? 0) : otherPost
    const id = await comment(postId, own === 'comment' ? (idOf.get(role) ?? 0) : other)
    return [`${method} /wp/v2/comments/${id}`, body] satisfies Attempt
  }
  const changed = { content: 'Changed' }

  const attempts: Readonly<Record<string, (role: string) => Attempt | Promise<Attempt>>> = {
    'create categories': () => ['POST /wp/v2/categories', { name: `New ${++made}` }],
    'edit categories': async () => [`POST /wp/v2/categories/${await term('category')}`, { description: 'x' }],
    'delete categories': async () => [`DELETE /wp/v2/categories/${await term('category')}?force=true`],
    'create tags': () => ['POST /wp/v2/tags', { name: `New ${++made}` }],
    'edit tags': async () => [`POST /wp/v2/tags/${await term('post_tag')}`, { description: 'x' }],
    'delete tags': async () => [`DELETE /wp/v2/tags/${await term('post_tag')}?force=true`],
    comment: () => ['POST /wp/v2/comments', { post: otherPost, content: `Words ${++made}` }],
    "edit other's comment": (role) => onComment(role, 'other', 'POST', changed),
    "delete other's comment": (role) => onComment(role, 'other', 'DELETE'),
    'edit own comment': (role) => onComment(role, 'comment', 'POST', changed),
    'delete own comment': (role) => onComment(role, 'comment', 'DELETE'),
    'edit a comment on own post': (role) => onComment(role, 'post', 'POST', changed),
    'approve a comment on own post': (role) => onComment(role, 'post', 'POST', { status: 'approve' }),
    'delete a comment on own post': (role) => onComment(role, 'post', 'DELETE'),
    'comment in the name of another': () => [
      'POST /wp/v2/comments',
      { post: otherPost, content: `Words ${++made}`, author: other },
    ],
    'create user': () => {
      const username = `created-${++made}`
      return ['POST /wp/v2/users', { username, email: `${username}@example.org`, password: 'a password' }]
    },
    'edit another user': () => [`POST /wp/v2/users/${other}`, { description: 'x' }],
    'delete another user': async () => [`DELETE /wp/v2/users/${await user()}?force=true&reassign=false`],
    'promote another user': async () => [`POST /wp/v2/users/${await user()}`, { roles: ['editor'] }],
    'edit self': () => ['POST /wp/v2/users/me', { description: 'x' }],
    'own application passwords': () => ['GET /wp/v2/users/me/application-passwords'],
    'own application password, create': () => [
      'POST /wp/v2/users/me/application-passwords',
      { name: `A program ${++made}` },
    ],
    "another's application passwords": () => [`GET /wp/v2/users/${other}/application-passwords`],
    "another's application password, create": () => [
      `POST /wp/v2/users/${other}/application-passwords`,
      { name: `A program ${++made}` },
    ],
    'settings read': () => ['GET /wp/v2/settings'],
    'settings write': () => ['POST /wp/v2/settings', { title: 'Mine' }],
    plugins: () => ['GET /wp/v2/plugins'],
    'switch a plugin': () => ['POST /wp/v2/plugins/reading-time', { status: 'inactive' }],
  }

  for (const [operation, answers] of Object.entries(MATRIX)) {
    it(operation, async () => {
      const told: Record<string, string> = {}
      for (const role of ROLES) {
        const [route, body] = (await attempts[operation]?.(role)) ?? ['GET /']
        told[role] = await site.outcome(route, body, as.get(role))
      }
      expect(told).to.deep.equal(Object.fromEntries(ROLES.map((role, at) => [role, answers[at]])))
    })
  }

  it('raise own role', async () => {
    for (const role of ROLES.slice(1, 5)) {
      const route = `POST /wp/v2/users/${idOf.get(role)}`
      expect(await site.outcome(route, { roles: ['administrator'] }, as.get(role)), role).to.equal(
        '403 rest_cannot_edit_roles',
      )
    }
  })

  it('says what was recorded from WordPress, where it was', () => {
    const roles: readonly string[] = ROLES
    for (const [role, recorded] of Object.entries(RECORDED)) {
      const at = roles.indexOf(role)
      const both = Object.keys(MATRIX).filter((operation) => Object.hasOwn(recorded, operation))
      expect(both).to.have.length.greaterThan(15)
      for (const operation of both) expect(MATRIX[operation]?.[at], operation).to.equal(recorded[operation])
    }
  })
})
