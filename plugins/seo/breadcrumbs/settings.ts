import { line, toggle } from 'pentad'

/** Settings of breadcrumbs; `breadcrumbs` is the one that services.md shows. */
export const breadcrumbSettings = {
  breadcrumbs: toggle('off', 'Breadcrumbs', 'Shows the way from the home page above each page.', 'breadcrumbs'),
  breadcrumbsSeparator: line(10)
    .default('›')
    .meta({ title: 'Separator of breadcrumbs', description: 'Stands between the steps.', group: 'breadcrumbs' }),
  breadcrumbsHome: line(60)
    .default('Home')
    .meta({ title: 'First step', description: 'What the home page is called.', group: 'breadcrumbs' }),
}
