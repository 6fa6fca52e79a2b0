import { isRaw, jsonBody } from '../../core/rest/response.ts'
import type { RestHost } from '../../core/rest/rest-host.ts'
import { batchRoute } from './batch.ts'
import { embedLinks, parseEmbed } from './embed.ts'
import { wrapInEnvelope } from './envelope.ts'
import { keepFields, parseFields } from './fields.ts'
import { readMultipart } from './multipart.ts'
import { describeOpenApi, type OpenApi } from './openapi.ts'
import { readUpload } from './upload.ts'

/** Members that the CMS adds to the host's REST API. */
export interface WordPressRest {
  /** OpenAPI 3.1 description of all registered routes. */
  openApi(): OpenApi
}

/**
 * Adds features of the REST API that WordPress clients expect: `_embed`, `_fields`, `_envelope`, `batch/v1`, and multipart forms; and
 * describes the API as OpenAPI.
 */
export function joinRest(rest: RestHost, parts: { title: () => string }): WordPressRest {
  rest.addFeatures({
    wrap: wrapInEnvelope,
    readMultipart: async (context, limit) => (await readMultipart(context, limit)).body,
    readUpload,
    async shape(response, query, { identity, clientAddress, signal }) {
      if (response.status >= 400 || isRaw(response)) return response
      let { body } = response
      const fields = parseFields(query._fields)
      const embed = parseEmbed(query._embed)
      const showsLinks = fields === null || fields.has('_links') || fields.has('_embedded')
      if (embed !== null && showsLinks) {
        body = await embedLinks(body, embed, rest.root, async (route) => {
          return jsonBody(await rest.dispatch({ method: 'GET', route, identity, clientAddress, signal }))
        })
        if (fields?.has('_links')) fields.set('_embedded', fields.get('_embedded') ?? true)
      }
      if (fields !== null) body = keepFields(body, fields)
      return body === response.body ? response : response.with(body)
    },
  })
  rest.registerRoute('', batchRoute(rest))
  return { openApi: () => describeOpenApi({ ...rest, title: parts.title() }) }
}
