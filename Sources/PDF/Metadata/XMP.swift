internal import Base

/// A document's metadata as XML, which archives read and in which a file claims to be PDF/A and PDF/UA.
enum XMP {
  /// - Parameter part: of ISO 19005: 3 for a document with attached files, otherwise 2.
  static func packet(_ facts: DocumentFacts, part: Int) -> [UInt8] {
    let date = String(TimeText.rfc3339(facts.created).prefix(19)) + "Z"
    let author =
      facts.author.isEmpty
      ? "" : "<dc:creator><rdf:Seq><rdf:li>\(MarkupText.escaped(facts.author))</rdf:li></rdf:Seq></dc:creator>\n"
    return Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
       xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
       xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
      <dc:format>application/pdf</dc:format>
      <dc:title><rdf:Alt><rdf:li xml:lang="x-default">\(MarkupText.escaped(facts.title))</rdf:li></rdf:Alt></dc:title>
      <dc:language><rdf:Bag><rdf:li>\(MarkupText.escaped(facts.language))</rdf:li></rdf:Bag></dc:language>
      \(author)<xmp:CreatorTool>\(MarkupText.escaped(facts.creator))</xmp:CreatorTool>
      <xmp:CreateDate>\(date)</xmp:CreateDate>
      <xmp:ModifyDate>\(date)</xmp:ModifyDate>
      <xmp:MetadataDate>\(date)</xmp:MetadataDate>
      <pdf:Producer>\(MarkupText.escaped(DocumentFacts.producer))</pdf:Producer>
      <pdfaid:part>\(part)</pdfaid:part>
      <pdfaid:conformance>A</pdfaid:conformance>
      <pdfuaid:part>1</pdfuaid:part>
      </rdf:Description>
      \(schema)
      </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="r"?>
      """.utf8)
  }

  /// PDF/A demands a description of every property that it does not define itself, such as PDF/UA's mark.
  private static let schema = """
    <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
     xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
    <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
    <pdfaSchema:schema>PDF/UA identification</pdfaSchema:schema>
    <pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
    <pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
    <pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
    <pdfaProperty:name>part</pdfaProperty:name>
    <pdfaProperty:valueType>Integer</pdfaProperty:valueType>
    <pdfaProperty:category>internal</pdfaProperty:category>
    <pdfaProperty:description>The part of ISO 14289 that the file conforms to</pdfaProperty:description>
    </rdf:li></rdf:Seq></pdfaSchema:property>
    </rdf:li></rdf:Bag></pdfaExtension:schemas>
    </rdf:Description>
    """
}
