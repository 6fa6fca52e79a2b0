import { expect } from 'chai'
import { createTestHost, type TestHost } from '../../app/testing/index.ts'
import { userQueryShape } from '../../cms/content/authors/query-shape.ts'
import { postQueryShape } from '../../cms/content/posts/query-shape.ts'
import { termQueryShape } from '../../cms/content/terms/query-shape.ts'

const circle: Record<string, unknown> = {}
circle.self = circle

/** What code of strangers may put where anything belongs. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, '', 'x', '2026-01-01T00:00:00', 'asc', 'date', 'title', 'include', 'and', '\0', "'; drop"],
  ...[0, 1, -1, 2.5, 1e9, 1e15, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 5n, Symbol('x'), () => 1, circle],
  ...[[], ['x'], [1], [Number.NaN, 1e300, -1, 2.5], [null], [{}], [[]], [5n], ['\0']],
  ...[{}, { x: 1 }, { x: 'a' }, { x: null }, { x: { ids: [1] } }, { x: { ids: [1e300, -1], all: true } }],
  ...[{ x: { ids: 5 } }, { x: { ids: ['a'] } }, { x: circle }, { x: 5n }, { x: undefined }, { x: () => 1 }],
  ...[{ than: 1, statuses: ['publish'] }, { than: Number.NaN, statuses: [] }, { than: 1 }],
]

describe('what the filters of queries may return', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost()
  })
  after(() => site.close())

  /** Names of the members that a query has. */
  const POST = [
    ...['types', 'statuses', 'authors', 'notAuthors', 'include', 'exclude', 'slugs', 'parents', 'notParents'],
    ...['menuOrder', 'mimeTypes', 'terms', 'notTerms', 'meta', 'search', 'textContains', 'searchColumns', 'sticky'],
    ...['termRelation', 'others', 'parentsFor', 'hasPassword', 'readableBy', 'after', 'before', 'modifiedAfter'],
    ...['modifiedBefore', 'orderBy', 'order', 'stickyFirst', 'limit', 'offset', 'noFoundRows'],
  ]
  const TERM = 'taxonomy include exclude slugs parent postId search hideEmpty orderBy order limit offset'.split(' ')
  const USER = 'include exclude slugs roles search searchColumns hasPublishedPosts orderBy order limit offset'.split(
    ' ',
  )

  for (const [what, members, shape, base] of [
    ['posts', POST, postQueryShape, {}],
    ['terms', TERM, termQueryShape, { taxonomy: 'category' }],
    ['users', USER, userQueryShape, {}],
  ] as const) {
    it(`is named where it is wrong, and else is taken by the query: ${what}`, async () => {
      const { content, auth } = site.host
      const ask = { posts: content.posts.query, terms: content.terms.query, users: auth.users.query }[what]
      for (const member of members) {
        let refused = 0
        for (const [at, value] of VALUES.entries()) {
          const query = { ...base, search: member === 'searchColumns' ? 'hello' : undefined, [member]: value }
          const fault = shape.contentsFault(query)
          if (fault !== undefined) {
            refused++
            continue
          }
          try {
            // Where members change the meaning of one another.
            for (const more of [{}, { limit: 0, offset: 0 }])
              await Reflect.apply(ask, undefined, [{ ...query, ...more }])
          } catch (error) {
            expect.fail(`${member} with value ${at} passed, but was not taken: ${error}`)
          }
        }
        expect(refused, member).to.be.greaterThan(0)
      }
    })
  }

  it('is not looked at beyond what the query takes', () => {
    expect(postQueryShape.contentsFault({ perPage: 'x', limit: 5, include: undefined })).to.equal(undefined)
    expect(postQueryShape.contentsFault({ limit: 'x' })).to.equal(
      'an object whose "limit" is a string instead of number',
    )
    expect(termQueryShape.contentsFault({})).to.equal('an object whose "taxonomy" is undefined instead of string')
    expect(postQueryShape.contentsFault({ orderBy: 'rand' })).to.contain(
      '"orderBy" is a string that is none of: date, ',
    )
  })
})
