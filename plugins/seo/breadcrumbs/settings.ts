import { line, toggle } from 'pentad'

/** Settings of breadcrumbs. */
export const breadcrumbSettings = {
  breadcrumbs: toggle('off', 'Breadcrumbs', 'Adds a breadcrumb trail to the top of each page.', 'breadcrumbs'),
  breadcrumbsSeparator: line(10).default('›').meta({
    title: 'Breadcrumb separator',
    description: 'Separates the items of the breadcrumb trail.',
    group: 'breadcrumbs',
  }),
  breadcrumbsHome: line(60)
    .default('Home')
    .meta({ title: 'Breadcrumb home label', description: 'Text of the link to the homepage.', group: 'breadcrumbs' }),
}
