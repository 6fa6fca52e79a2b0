import { z } from 'zod'
import { addressSetting, secretSetting, textSetting } from '../setting-types.ts'

const group = 'S3'

export const s3Settings = z.object({
  s3Endpoint: addressSetting().meta({
    title: 'Endpoint',
    description: 'URL of an S3-compatible service. Leave empty for Amazon S3.',
    group,
    emptyAddress: 'https://s3.amazonaws.com',
  }),
  s3Region: textSetting().meta({
    title: 'Region',
    description: 'For example, eu-central-1. Default: us-east-1.',
    group,
  }),
  s3Bucket: textSetting().meta({ title: 'Bucket', description: 'The bucket must already exist.', group }),
  s3AccessKey: textSetting().meta({ title: 'Access key', group }),
  s3SecretKey: secretSetting().meta({
    title: 'Secret key',
    group,
    secret: true,
    boundTo: ['s3Endpoint', 's3AccessKey'],
  }),
  s3Prefix: textSetting().meta({
    title: 'Prefix',
    description: 'Key prefix of the archives in the bucket, for example backups/. Optional.',
    group,
  }),
  s3PathStyle: z.enum(['on', 'off']).default('off').meta({
    title: 'Path-style addressing',
    description:
      'Turn on for services that do not support virtual-hosted-style addressing, such as most MinIO servers.',
    group,
  }),
})

export type S3Settings = z.output<typeof s3Settings>
