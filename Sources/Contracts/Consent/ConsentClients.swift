public import RPC

/// Clients of the six services over one channel.
public struct ConsentClients: Sendable {
  public let studies: StudyServiceClient
  public let documents: DocumentServiceClient
  public let flows: FlowServiceClient
  public let sessions: SessionServiceClient
  public let records: RecordServiceClient
  public let webhooks: WebhookServiceClient

  public init(_ channel: any Channel) {
    studies = StudyServiceClient(channel)
    documents = DocumentServiceClient(channel)
    flows = FlowServiceClient(channel)
    sessions = SessionServiceClient(channel)
    records = RecordServiceClient(channel)
    webhooks = WebhookServiceClient(channel)
  }
}
