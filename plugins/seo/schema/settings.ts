import { line, toggle } from 'pentad'
import { z } from 'zod'

/** Article types of schema.org that Google supports. */
export const ARTICLE_TYPES = ['Article', 'BlogPosting', 'NewsArticle'] as const

const url = z.url({ protocol: /^https?$/ }).max(2000)

export const schemaSettings = {
  schema: toggle('on', 'Structured data', 'Adds schema.org markup (JSON-LD) to each page.', 'schema'),
  schemaType: z.enum(['Organization', 'Person']).default('Organization').meta({
    title: 'Site owner',
    description: 'Whether the site represents an organization or a person.',
    group: 'schema',
  }),
  organizationName: line(200)
    .default('')
    .meta({ title: 'Organization name', description: 'Leave empty to use the site title.', group: 'schema' }),
  personName: line(200)
    .default('')
    .meta({ title: 'Person name', description: 'Leave empty to use the site title.', group: 'schema' }),
  logo: z.int().min(0).default(0).meta({
    title: 'Organization logo or personal photo',
    description: 'Attachment ID of an image of at least 112 × 112 pixels. Enter 0 to use the site logo or icon.',
    group: 'schema',
  }),
  socialProfiles: z.array(url).max(50).default([]).meta({
    title: 'Social profiles',
    description: 'URLs of the organization’s or person’s profiles on other sites.',
    group: 'schema',
  }),
  articleSchemaType: z.enum(ARTICLE_TYPES).default('Article').meta({
    title: 'Default article type',
    description: 'Schema type of posts. You can override it for each post.',
    group: 'schema',
  }),
}
