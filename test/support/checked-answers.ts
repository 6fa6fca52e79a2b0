import { expect } from 'chai'
import type { TestHost, TestRequest } from 'pentad/testing'
import { describedAnswers } from './described-answers.ts'

/** Asks a site as an administrator, and holds each answer against what its OpenAPI document promises of the route. */
export function checkedAnswers(site: TestHost) {
  const answers = describedAnswers(site.host.openApi())
  const checked = new Set<string>()

  async function send(method: string, path: string, request: TestRequest): Promise<Response> {
    const answer = await site.request(`/wp-json${path}`, { as: 'administrator', ...request, method })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }

  return {
    /**
     * The checked answer, `data` of it where it has such.
     *
     * @param operation as the document has it: `GET /seo/v1/redirects/{id}`
     * @param request.path with its parameters; default: that of the operation
     */
    async check(operation: string, request: TestRequest & { readonly path?: string } = {}) {
      const [method = '', route = ''] = operation.split(' ')
      const { path = route, ...more } = request
      const answer = await send(method, path, more)
      const body = JSON.parse(await answer.text())
      answers.expectToFit(route, body, method.toLowerCase())
      checked.add(operation)
      return body.data ?? body
    },

    /** An answer that is a file has one of the declared media types. */
    async checkFile(operation: string, path: string): Promise<void> {
      const [method = '', route = ''] = operation.split(' ')
      const answer = await send(method, path, {})
      await answer.arrayBuffer()
      const [type = ''] = (answer.headers.get('content-type') ?? '').split(';')
      expect(answers.contentOf(route, method.toLowerCase()), operation).to.have.property(type)
    },

    /** @param unanswered operations that never succeed; they are described all the same */
    expectAll(namespace: string, unanswered: readonly string[] = []): void {
      const own = answers.operations
        .filter(([, path]) => path.startsWith(`/${namespace}/`))
        .map(([method, path]) => `${method.toUpperCase()} ${path}`)
      for (const operation of unanswered) {
        const [method = '', route = ''] = operation.split(' ')
        expect(answers.schemaOf(route, method.toLowerCase()), operation).to.be.an('object').that.is.not.empty
      }
      const asked = [...checked, ...unanswered].filter((operation) => operation.includes(` /${namespace}/`))
      expect(asked.sort()).to.deep.equal(own.sort())
    },
  }
}
