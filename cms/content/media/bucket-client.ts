const CONNECT_MS = 3000
/** How long `pentad doctor` waits, in ms. */
const CHECK_MS = 15_000
/** Maximum idle time, in ms. */
const IDLE_MS = 20_000
/** Where uploads are stored: `s3://ACCESS_KEY:SECRET_KEY@HOST/BUCKET/PREFIX?region=REGION`, `s3+http://` without TLS. */
export interface Bucket {
  readonly endpoint: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly name: string
  /** Of all objects: empty, or with a slash at the end. */
  readonly prefix: string
  readonly region: string
}

/** @throws Error without the secrets of the URL */
export function parseStorageUrl(text: string): Bucket {
  const url = new URL(text)
  const [name = '', ...prefix] = decodeURIComponent(url.pathname).split('/').filter(Boolean)
  if (!url.username || !url.password || !url.host || !name) {
    throw new Error(
      'PENTAD_STORAGE_URL must be s3://ACCESS_KEY:SECRET_KEY@HOST/BUCKET, with special characters percent-encoded.',
    )
  }
  return {
    endpoint: `${url.protocol === 's3+http:' ? 'http' : 'https'}://${url.host}`,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    name,
    prefix: prefix.map((part) => `${part}/`).join(''),
    region: url.searchParams.get('region') ?? 'us-east-1',
  }
}

export async function connect(storageUrl: string) {
  const { name, prefix, endpoint, region, ...credentials } = parseStorageUrl(storageUrl)
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client({
    ...{ region, endpoint, credentials },
    forcePathStyle: true,
    // Many compatible services reject Amazon's trailing checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: IDLE_MS },
  })
  return { sdk, client, name, prefix }
}

/** Whether the bucket can be listed. @throws the error of the service, or of the network */
export async function checkBucket(storageUrl: string): Promise<void> {
  const { sdk, client, name } = await connect(storageUrl)
  try {
    const query = new sdk.HeadBucketCommand({ Bucket: name })
    await client.send(query, { abortSignal: AbortSignal.timeout(CHECK_MS) })
  } finally {
    client.destroy()
  }
}
