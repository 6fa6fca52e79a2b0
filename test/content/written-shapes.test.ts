import { expect } from 'chai'
import type { NewComment, NewPost } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { newCommentShape } from '../../cms/content/comment-shape.ts'
import { askedPostShape, postDataShape } from '../../cms/content/posts/post-shape.ts'

describe('A post or comment that an extension writes', () => {
  let site: TestHost
  before(async () => {
    site = await createTestHost()
  })
  after(() => site.close())

  const circle: Record<string, unknown> = {}
  circle.self = circle
  /** What code of strangers may put where anything belongs. */
  const VALUES: readonly unknown[] = [
    ...[null, true, '', 'x', '2026-01-01T00:00:00', 'open', 'hold', '\0', 0, 1, -1, 2.5, 1e300, Number.NaN, 5n],
    ...[Symbol('x'), () => 1, circle, [], ['x'], [1], [5n], {}, { x: 1 }, { x: ['a'] }, { x: [{ a: 1 }] }, { x: [1] }],
    ...[{ x: [5n] }, { x: [-1] }, { category: [1] }],
  ]

  it('is let through only where it can be stored', async () => {
    const { posts, comments } = site.host.content
    const times = { date: '', dateGmt: '' }
    const names = { authorName: 'A', authorEmail: '', authorUrl: '', authorAddress: '', userAgent: '' }
    const comment: NewComment = {
      ...{ postId: 1, parentId: 0, userId: 0, content: 'x', status: 'hold', type: 'comment', ...names, ...times },
    }
    const texts = { title: 'x', content: '', excerpt: '', slug: '', password: '', template: '', mimeType: '', guid: '' }
    const post: NewPost = {
      ...{ type: 'post', status: 'draft', authorId: 1, parentId: 0, menuOrder: 0, sticky: false, ...texts, ...times },
      ...{ commentStatus: 'open', pingStatus: 'open', modified: '', modifiedGmt: '', id: 0, meta: {}, terms: {} },
      ...{ resetDate: false, reserveSlug: false, savedBy: 1, unchangedSince: '' },
    }
    const insertPost = (value: object) => Reflect.apply(posts.insert, posts, [value])
    const insertComment = (value: object) => Reflect.apply(comments.insert, comments, [value])
    for (const [base, shape, insert] of [
      [post, askedPostShape, insertPost],
      [comment, newCommentShape, insertComment],
    ] as const) {
      expect(shape.contentsFault(base)).to.equal(undefined)
      for (const member of [...Object.keys(base), 'meta']) {
        const refused = VALUES.filter((value) => shape.contentsFault({ ...base, [member]: value }) !== undefined)
        expect(refused.length, member).to.be.greaterThan(0)
        for (const value of VALUES.filter((each) => !refused.includes(each))) {
          await Promise.resolve(insert({ ...base, [member]: value })).catch((error: unknown) =>
            expect.fail(`${member} with ${String(value)} passed, but was not stored: ${error}`),
          )
        }
      }
    }
    expect(postDataShape.contentsFault(post)).to.equal(undefined)
  })
})
