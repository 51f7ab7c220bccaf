import { ifGiven } from '../../compiler/graph/maps.js';
import { allOperations } from '../../compiler/schema/gql-schema.js';
import type { Drawing } from '../diagram/drawing.js';
import { changelogPage, type Release } from './changelog.js';
import { federationPage } from './federation-page.js';
import { type Area, allPage, areaPage, areasOf, graphPage, homePage } from './index-pages.js';
import { operationPage } from './operation-page.js';
import type { Page } from './page.js';
import { createReference, type SiteSource } from './reference.js';
import { typePages, unusedInputsPage } from './type-pages.js';

/** The reference pages of an API, as data. */
export interface Site {
  readonly title: string;
  readonly areas: readonly Area[];
  /** The pages that the navigation lists beside the folders. */
  readonly further: readonly Page[];
  /** Every page, the first one first. */
  readonly pages: readonly Page[];
  readonly byPath: ReadonlyMap<string, Page>;
}

export interface SiteOptions extends SiteSource {
  /** The layout of the topology; absent if it is too large for one picture. */
  readonly drawing?: Drawing;
  /** The releases for the changelog, the newest first; absent without a changelog. */
  readonly releases?: readonly Release[];
}

/** Writes the reference pages of an API. The same options give the same pages. */
export function createSite(options: SiteOptions): Site {
  const { title, schema, drawing, releases } = options;
  const reference = createReference(options);
  const { paths } = reference;
  const parts = [
    ...allOperations(schema)
      .filter((operation) => paths.isOwn(paths.ofOperation(operation)))
      .map((operation) => operationPage(reference, operation)),
    ...typePages(reference),
    ...ifGiven(unusedInputsPage(reference), (page) => page),
  ];
  const areas = areasOf(parts);
  const further = [
    graphPage(reference, drawing),
    ...ifGiven(federationPage(schema), (page) => page),
    ...(releases === undefined ? [] : [changelogPage(releases)]),
    allPage(parts),
  ];
  const indexes = areas.map((area) => areaPage(reference, area));
  const pages = [homePage(reference, areas, further), ...further, ...indexes, ...parts];
  return { title, areas, further, pages, byPath: new Map(pages.map((page) => [page.path, page])) };
}
