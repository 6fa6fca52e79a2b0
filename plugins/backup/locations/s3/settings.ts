import { z } from 'zod'
import { addressSetting, secretSetting, textSetting } from '../setting-types.ts'

const group = 'S3'

export const s3Settings = z.object({
  s3Endpoint: addressSetting().meta({
    title: 'Endpoint',
    description: 'Of an S3-compatible service; empty for Amazon S3.',
    group,
    emptyAddress: 'https://s3.amazonaws.com',
  }),
  s3Region: textSetting().meta({ title: 'Region', description: 'For example eu-central-1; empty: us-east-1.', group }),
  s3Bucket: textSetting().meta({ title: 'Bucket', description: 'It must exist already.', group }),
  s3AccessKey: textSetting().meta({ title: 'Access key', group }),
  s3SecretKey: secretSetting().meta({
    title: 'Secret key',
    group,
    secret: true,
    boundTo: ['s3Endpoint', 's3AccessKey'],
  }),
  s3Prefix: textSetting().meta({
    title: 'Folder',
    description: 'What the names of the archives in the bucket start with, for example backups/; may be empty.',
    group,
  }),
  s3PathStyle: z.enum(['on', 'off']).default('off').meta({
    title: 'Bucket in the path',
    description: 'On for services without a host name for each bucket, such as most MinIO servers.',
    group,
  }),
})

export type S3Settings = z.output<typeof s3Settings>
