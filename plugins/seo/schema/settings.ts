import { line, toggle } from 'pentad'
import { z } from 'zod'

/** What schema.org counts among articles and Google shows as one. */
export const ARTICLE_TYPES = ['Article', 'BlogPosting', 'NewsArticle'] as const

const url = z.url({ protocol: /^https?$/ }).max(2000)

export const schemaSettings = {
  schema: toggle('on', 'Structured data', 'Says in JSON-LD what each page is about.', 'schema'),
  schemaType: z
    .enum(['Organization', 'Person'])
    .default('Organization')
    .meta({ title: 'The site stands for', description: 'An organisation or a person.', group: 'schema' }),
  organizationName: line(200)
    .default('')
    .meta({ title: 'Name of the organisation', description: 'Empty for the site’s title.', group: 'schema' }),
  personName: line(200)
    .default('')
    .meta({ title: 'Name of the person', description: 'Empty for the site’s title.', group: 'schema' }),
  logo: z.int().min(0).default(0).meta({
    title: 'Logo or portrait',
    description: 'Id of an image of at least 112 by 112 pixels; 0 for the site’s logo or icon.',
    group: 'schema',
  }),
  socialProfiles: z
    .array(url)
    .max(50)
    .default([])
    .meta({ title: 'Profiles', description: 'Addresses of the organisation or person elsewhere.', group: 'schema' }),
  articleSchemaType: z
    .enum(ARTICLE_TYPES)
    .default('Article')
    .meta({ title: 'Posts are', description: 'Kind of article; a post can have one of its own.', group: 'schema' }),
}
