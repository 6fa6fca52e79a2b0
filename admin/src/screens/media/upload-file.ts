import { ApiError } from '../../api/error.ts'
import { currentNonce, read } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { MEDIA, type MediaItem } from './media-item.ts'

/**
 * Uploads a file to the media library with `XMLHttpRequest`, because `fetch` does not report upload progress.
 * @param onProgress receives 0 to 100
 * @throws ApiError with the route's error
 */
export async function uploadFile(file: File, onProgress: (percent: number) => void): Promise<MediaItem> {
  try {
    return await send(file, onProgress)
  } catch (error) {
    if (!(error instanceof ApiError) || !error.isSignedOut) throw error
    // Renews the nonce, or asks the user to log in again.
    await read('wp/v2/users/me', { _fields: 'id' })
    return send(file, onProgress)
  }
}

function send(file: File, onProgress: (percent: number) => void): Promise<MediaItem> {
  const { promise, resolve, reject } = Promise.withResolvers<MediaItem>()
  const body = new FormData()
  body.append('file', file)
  const request = new XMLHttpRequest()
  request.open('POST', `${pageData.restUrl}${MEDIA}`)
  request.setRequestHeader('X-WP-Nonce', currentNonce())
  request.responseType = 'json'
  request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
    if (lengthComputable) onProgress(Math.round((loaded / total) * 100))
  })
  request.addEventListener('load', async () => {
    if (request.status >= 200 && request.status < 300) resolve(request.response)
    else reject(await ApiError.of(new Response(JSON.stringify(request.response), { status: request.status || 500 })))
  })
  request.addEventListener('error', () =>
    reject(
      new ApiError(
        'no_answer',
        __('The connection was lost. Check your connection and upload the file again.', 'pentad'),
      ),
    ),
  )
  request.send(body)
  return promise
}
